import Moho

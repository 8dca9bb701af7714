@testable import MohoPostgres

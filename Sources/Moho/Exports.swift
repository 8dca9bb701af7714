@_exported public import MohoChanges
@_exported public import MohoJSON
@_exported public import MohoMapping
@_exported public import MohoResults
@_exported public import MohoRows
@_exported public import MohoSQLite

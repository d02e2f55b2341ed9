package waybill

// Conditions of a ChangeBudget.
const (
	// ConditionReady is True while the budget is understood and held against every pass, False while
	// its spec is wrong: nothing that it might select is committed then.
	ConditionReady = "Ready"
	// ConditionExceeded is True while the last pass was held back because it would have changed more
	// than the budget allows, False otherwise.
	ConditionExceeded = "Exceeded"
)

// Reasons of these conditions.
const (
	ReasonValid           = "Valid"
	ReasonValidationError = "ValidationError"
	ReasonSelectsNothing  = "SelectsNothing"
	ReasonWithinBudget    = "WithinBudget"
	ReasonBudgetExceeded  = "BudgetExceeded"
	ReasonOverridden      = "Overridden"
)

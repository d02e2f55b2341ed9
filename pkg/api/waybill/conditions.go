package waybill

// Conditions of a ChangeBudget, a MapController and a PublishedResource. The page docs/reference/conditions.md is made of these
// comments.
const (
	// ConditionReady is True while the spec is in force and all that it asks for is done, False otherwise. Nothing is
	// committed that an invalid ChangeBudget might select.
	ConditionReady = "Ready"
	// ConditionExceeded is True while the last pass was held back because it would have changed more
	// than the budget allows, False otherwise.
	ConditionExceeded = "Exceeded"
	// ConditionStalled is True while the spec is invalid and must be changed; False otherwise.
	ConditionStalled = "Stalled"
)

// Reasons of these conditions.
const (
	// ReasonValid: the spec is valid.
	ReasonValid = "Valid"
	// ReasonValidationError: the spec is wrong, or names a function that is not linked in or not allowed; it must be changed.
	ReasonValidationError = "ValidationError"
	// ReasonSelectsNothing: the budget selects no variant; the message names similar labels.
	ReasonSelectsNothing = "SelectsNothing"
	// ReasonSeveralShards: the budget applies to variants of several shards, and refuses every change.
	ReasonSeveralShards = "SeveralShards"
	// ReasonWithinBudget: the last pass was within the budget.
	ReasonWithinBudget = "WithinBudget"
	// ReasonBudgetExceeded: a ChangeBudget refused a pass; the message says which, and by how much.
	ReasonBudgetExceeded = "BudgetExceeded"
	// ReasonMapping: all parents are mapped.
	ReasonMapping = "Mapping"
	// ReasonSyncing: all objects are kept in sync.
	ReasonSyncing = "Syncing"
	// ReasonProgressing: not all objects are known yet, webhooks asked for time (for how many parents, and until when), or
	// another client wrote meanwhile.
	ReasonProgressing = "Progressing"
	// ReasonNotServed: a type is not served, not in the version that is named, or was created again with another scope; the
	// controller checks every 30 seconds.
	ReasonNotServed = "NotServed"
	// ReasonForbidden: a right is missing; the message says which.
	ReasonForbidden = "Forbidden"
	// ReasonHookSettings: a Secret or ConfigMap that a webhook names does not exist, or lacks the value.
	ReasonHookSettings = "HookSettings"
	// ReasonUnavailable: an API server does not answer; what needs only others is reconciled.
	ReasonUnavailable = "Unavailable"
	// ReasonFailing: some parents or objects have errors, which events of these describe; the others are reconciled.
	ReasonFailing = "Failing"
	// ReasonRefused: outputs or copies are not deleted, because of maxDeletions, because no input is left, because a selector
	// matches nothing, or because their type is being deleted.
	ReasonRefused = "Refused"
)

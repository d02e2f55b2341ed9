package expression

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
)

// maxEstimate bounds what an expression may cost by its text alone, where everything of unknown
// size counts as assumedSize parts. A loop over all labels within a loop over all labels
// is accepted; a third level is not.
const maxEstimate, assumedSize = 1_000_000, 256

func affordable(env *cel.Env, ast *cel.Ast) error {
	estimate, err := env.EstimateCost(ast, sizes{})
	if err == nil && estimate.Max > maxEstimate {
		return fmt.Errorf("the expression may cost up to %d, at most %d is allowed", estimate.Max, maxEstimate)
	}
	return err
}

// sizes estimates the sizes that the text of an expression does not say.
type sizes struct{}

// EstimateSize implements the library's CostEstimator.
func (sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	switch node.Type().Kind() {
	case types.StringKind, types.BytesKind, types.ListKind, types.MapKind, types.DynKind:
		return &checker.SizeEstimate{Max: assumedSize}
	}
	return nil
}

// EstimateCallCost implements the library's CostEstimator.
func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// Asks Kubernetes' own CEL library what expressions give: reads tests/data/cel_answers.json and writes it with new answers.
//
// Each answer is a value, {"optional": value or absent} where it is optional, {"type": …, "text": …} where JSON has no form for
// it, or {"refused": true} where the expression does not compile or fails. Variables are of no declared type, as the fields
// of an object without a schema. Built in a module that requires k8s.io/apiserver v0.36.2; nothing here needs a cluster.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apiserver/pkg/cel/environment"
)

type answered struct {
	Expression string `json:"expression"`
	Answer     any    `json:"answer"`
}

type document struct {
	Kubernetes string         `json:"kubernetes"`
	Variables  map[string]any `json:"variables"`
	Answers    []answered     `json:"answers"`
}

func main() {
	var asked document
	decoder := json.NewDecoder(os.Stdin)
	decoder.UseNumber()
	if err := decoder.Decode(&asked); err != nil {
		panic(err)
	}
	options, given := []cel.EnvOption{}, map[string]any{}
	for name, value := range asked.Variables {
		options = append(options, cel.Variable(name, cel.DynType))
		given[name] = numbers(value)
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	env, err := base.StoredExpressionsEnv().Extend(options...)
	if err != nil {
		panic(err)
	}
	for place, one := range asked.Answers {
		value, err := evaluated(env, one.Expression, given)
		asked.Answers[place].Answer = value
		if err != nil {
			asked.Answers[place].Answer = map[string]any{"refused": true}
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(asked); err != nil {
		panic(err)
	}
}

func evaluated(env *cel.Env, expression string, given map[string]any) (any, error) {
	tree, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(tree, cel.CostLimit(10_000_000))
	if err != nil {
		return nil, err
	}
	value, _, err := program.Eval(given)
	if err != nil {
		return nil, err
	}
	return plain(value)
}

// numbers makes whole numbers of JSON whole numbers of Go.
func numbers(value any) any {
	switch found := value.(type) {
	case json.Number:
		if whole, err := found.Int64(); err == nil {
			return whole
		}
		fraction, _ := found.Float64()
		return fraction
	case []any:
		for place := range found {
			found[place] = numbers(found[place])
		}
	case map[string]any:
		for key := range found {
			found[key] = numbers(found[key])
		}
	}
	return value
}

func plain(value ref.Val) (any, error) {
	switch found := value.(type) {
	case types.Null:
		return nil, nil
	case types.Bool, types.Int, types.Uint, types.String:
		return found.Value(), nil
	case types.Double:
		if math.IsInf(float64(found), 0) || math.IsNaN(float64(found)) {
			return map[string]any{"type": "double", "text": fmt.Sprint(float64(found))}, nil
		}
		return float64(found), nil
	case *types.Optional:
		if !found.HasValue() {
			return map[string]any{"optional": []any{}}, nil
		}
		inner, err := plain(found.GetValue())
		return map[string]any{"optional": []any{inner}}, err
	case traits.Mapper:
		made := map[string]any{}
		for keys := found.Iterator(); keys.HasNext() == types.True; {
			key := keys.Next()
			inner, err := plain(found.Get(key))
			if err != nil {
				return nil, err
			}
			made[fmt.Sprint(key.Value())] = inner
		}
		return made, nil
	case traits.Lister:
		made := []any{}
		for items := found.Iterator(); items.HasNext() == types.True; {
			inner, err := plain(items.Next())
			if err != nil {
				return nil, err
			}
			made = append(made, inner)
		}
		return made, nil
	}
	text := fmt.Sprint(value.Value())
	if message, err := value.ConvertToNative(reflect.TypeOf(&structpb.Value{})); err == nil {
		text = message.(*structpb.Value).GetStringValue()
	}
	return map[string]any{"type": value.Type().TypeName(), "text": text}, nil
}

// Asks Kueue's own packages what they decide: one scenario per line of input, one answer per line of output, both JSON.
//
// Scenario: objects of the cluster, what is admitted, one pending workload and its queue. Answer: what is available and
// could ever be had per queue, shares, the assignment of flavors (partial admission included), the topology domains that
// its pods get, and whom it preempts.
// Built with the module files of the lab's Kueue; nothing here needs a cluster.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"
	"sigs.k8s.io/kueue/pkg/scheduler/preemption"
	"sigs.k8s.io/kueue/pkg/workload"
)

type scenario struct {
	Flavors    []*kueue.ResourceFlavor
	Cohorts    []*kueue.Cohort
	Queues     []*kueue.ClusterQueue
	Topologies []*kueue.Topology
	Nodes      []*corev1.Node
	Admitted   []*kueue.Workload
	Pending    *kueue.Workload
	Queue      string
	Strategies []string
	Tried      []map[corev1.ResourceName]int
}

type choice struct {
	Flavor string `json:"flavor"`
	Mode   string `json:"mode"`
	Tried  int    `json:"tried"`
}

type podSet struct {
	Name    string            `json:"name"`
	Count   int32             `json:"count"`
	Flavors map[string]choice `json:"flavors"`
}

type domain struct {
	Values []string `json:"values"`
	Count  int32    `json:"count"`
}

type victim struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

type answer struct {
	Error     string                      `json:"error,omitempty"`
	Mode      string                      `json:"mode"`
	Borrow    int                         `json:"borrow"`
	Message   string                      `json:"message"`
	PodSets   []podSet                    `json:"podsets"`
	Placed    map[string][]domain         `json:"placed"`
	Usage     map[string]int64            `json:"usage"`
	Victims   []victim                    `json:"victims"`
	Available map[string]map[string]int64 `json:"available"`
	Potential map[string]map[string]int64 `json:"potential"`
	Shares    map[string]float64          `json:"shares"`
}

// nothing is a client of an empty cluster.
type nothing struct{ client.Client }

func (nothing) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func main() {
	ctrl.SetLogger(logr.Discard())
	ctx := ctrl.LoggerInto(context.Background(), logr.Discard())
	lines, out := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	for {
		line, end := lines.ReadBytes('\n')
		if len(line) > 1 {
			var asked scenario
			if err := json.Unmarshal(line, &asked); err != nil {
				_ = out.Encode(answer{Error: err.Error()})
			} else {
				_ = out.Encode(decide(ctx, &asked))
			}
		}
		if end != nil {
			return
		}
	}
}

func decide(ctx context.Context, asked *scenario) (found answer) {
	defer func() {
		if crash := recover(); crash != nil {
			found.Error = fmt.Sprint("Kueue crashed: ", crash)
		}
	}()
	snapshot, flavors, err := world(ctx, asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	found = quotas(asked, snapshot)

	info := workload.NewInfo(asked.Pending)
	info.ClusterQueue = kueue.ClusterQueueReference(asked.Queue)
	if len(asked.Tried) > 0 {
		info.LastAssignment = &workload.AssignmentClusterQueueState{LastTriedFlavorIdx: asked.Tried}
	}
	var sharing *configapi.FairSharing
	if len(asked.Strategies) > 0 {
		sharing = &configapi.FairSharing{}
		for _, name := range asked.Strategies {
			sharing.PreemptionStrategies = append(sharing.PreemptionStrategies, configapi.PreemptionStrategy(name))
		}
	}
	order := workload.Ordering{PodsReadyRequeuingTimestamp: configapi.EvictionTimestamp}
	preemptor := preemption.New(nothing{}, order, nil, sharing, false, clock.RealClock{}, nil, nil, nil)
	assigner := flavorassigner.New(info, snapshot.ClusterQueue(info.ClusterQueue), flavors, sharing != nil,
		preemption.NewOracle(preemptor, snapshot), nil, configapi.QuotaCheckBlockUndeclared,
		resources.NewResourceFormatter(), 0)

	assignment := assigner.Assign(ctx, nil)
	victims := targets(ctx, preemptor, info, assignment, snapshot)
	if assignment.RepresentativeMode() != flavorassigner.Fit && len(victims) == 0 && info.CanBePartiallyAdmitted() {
		reducer := flavorassigner.NewPodSetReducer(asked.Pending.Spec.PodSets, func(counts []int32) (func(), bool) {
			part := assigner.Assign(ctx, counts)
			whom := targets(ctx, preemptor, info, part, snapshot)
			take := func() { assignment, victims = part, whom }
			return take, part.RepresentativeMode() == flavorassigner.Fit || len(whom) > 0
		})
		if take, ok := reducer.Search(); ok {
			take()
		}
	}
	tell(&found, assignment, victims)
	return found
}

func world(ctx context.Context, asked *scenario) (
	*scheduler.Snapshot, map[kueue.ResourceFlavorReference]*kueue.ResourceFlavor, error,
) {
	cache := scheduler.New(nothing{}, scheduler.WithFairSharing(len(asked.Strategies) > 0))
	flavors := map[kueue.ResourceFlavorReference]*kueue.ResourceFlavor{}
	for _, flavor := range asked.Flavors {
		cache.AddOrUpdateResourceFlavor(logr.Discard(), flavor)
		flavors[kueue.ResourceFlavorReference(flavor.Name)] = flavor
	}
	for _, topology := range asked.Topologies {
		cache.AddOrUpdateTopology(logr.Discard(), topology)
	}
	for _, node := range asked.Nodes {
		cache.TASCache().SyncNode(node)
	}
	for _, cohort := range asked.Cohorts {
		if err := cache.AddOrUpdateCohort(cohort); err != nil {
			return nil, nil, err
		}
	}
	for _, queue := range asked.Queues {
		if err := cache.AddClusterQueue(ctx, queue); err != nil {
			return nil, nil, err
		}
	}
	for _, admitted := range asked.Admitted {
		cache.AddOrUpdateWorkload(logr.Discard(), admitted)
	}
	snapshot, err := cache.Snapshot(ctx)
	return snapshot, flavors, err
}

func quotas(asked *scenario, snapshot *scheduler.Snapshot) answer {
	found := answer{
		Available: map[string]map[string]int64{}, Potential: map[string]map[string]int64{},
		Shares: map[string]float64{}, Usage: map[string]int64{}, Placed: map[string][]domain{},
	}
	for name, queue := range snapshot.ClusterQueues() {
		available, potential := map[string]int64{}, map[string]int64{}
		for pair := range queue.ResourceNode.Quotas {
			available[text(pair)] = queue.Available(pair).Int64()
			potential[text(pair)] = queue.PotentialAvailable(pair).Int64()
		}
		found.Available[string(name)], found.Potential[string(name)] = available, potential
		found.Shares[string(name)] = finite(queue.DominantResourceShare().PreciseWeightedShare())
	}
	for _, cohort := range asked.Cohorts {
		node := snapshot.Cohort(kueue.CohortReference(cohort.Name))
		found.Shares[cohort.Name] = finite(node.DominantResourceShare().PreciseWeightedShare())
	}
	return found
}

func targets(ctx context.Context, preemptor *preemption.Preemptor, info *workload.Info,
	assignment flavorassigner.Assignment, snapshot *scheduler.Snapshot,
) []*preemption.Target {
	if assignment.RepresentativeMode() != flavorassigner.Preempt {
		return nil
	}
	return preemptor.GetTargets(ctx, *info, assignment, snapshot)
}

func tell(found *answer, assignment flavorassigner.Assignment, victims []*preemption.Target) {
	found.Mode, found.Borrow = assignment.RepresentativeMode().String(), assignment.Borrowing
	found.Message = assignment.Message()
	for pair, units := range assignment.Usage.Quota {
		if units.Int64() != 0 {
			found.Usage[text(pair)] = units.Int64()
		}
	}
	for _, each := range assignment.PodSets {
		told := podSet{Name: string(each.Name), Count: each.Count, Flavors: map[string]choice{}}
		for resource, flavor := range each.Flavors {
			told.Flavors[string(resource)] = choice{string(flavor.Name), flavor.Mode.String(), flavor.TriedFlavorIdx}
		}
		found.PodSets = append(found.PodSets, told)
		if each.TopologyAssignment != nil {
			for _, place := range each.TopologyAssignment.Domains {
				found.Placed[told.Name] = append(found.Placed[told.Name], domain{place.Values, place.Count})
			}
		}
	}
	for _, each := range victims {
		found.Victims = append(found.Victims, victim{each.WorkloadInfo.Obj.Name, each.Reason})
	}
}

func text(pair resources.FlavorResource) string {
	return string(pair.Flavor) + "|" + string(pair.Resource)
}

// finite writes infinity, which JSON cannot say, as −1.
func finite(share float64) float64 {
	if math.IsInf(share, 1) {
		return -1
	}
	return share
}

package transform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	cases := map[string]struct {
		reason string
		opts   Options
		in     string
		want   string
	}{
		"generic": {
			reason: "server-owned metadata, last-applied and status go; everything else stays, comments and order included",
			in: `
				# what it is
				apiVersion: apps/v1
				kind: Deployment
				metadata:
				  uid: 0f0e
				  name: web # the shop
				  generation: 3
				  generateName: web-
				  selfLink: /x
				  resourceVersion: "7"
				  ownerReferences: []
				  finalizers: [a]
				  managedFields: []
				  creationTimestamp: "2026-01-01T00:00:00Z"
				  deletionTimestamp: null
				  deletionGracePeriodSeconds: 30
				  labels: {a: b}
				  annotations:
				    kubectl.kubernetes.io/last-applied-configuration: "{}"
				    # kept
				    deployment.kubernetes.io/revision: "3"
				status: {replicas: 1}
				spec:
				  # how many
				  replicas: 2
				`,
			want: `
				# what it is
				apiVersion: apps/v1
				kind: Deployment
				metadata:
				  name: web # the shop
				  creationTimestamp: "2026-01-01T00:00:00Z"
				  deletionTimestamp: null
				  deletionGracePeriodSeconds: 30
				  labels: {a: b}
				  annotations:
				    # kept
				    deployment.kubernetes.io/revision: "3"
				spec:
				  # how many
				  replicas: 2
				`,
		},
		"only last-applied": {
			reason: "an annotations map that becomes empty stays",
			in:     "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: x\n",
			want:   "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations: {}\n",
		},
		"no annotations": {
			reason: "no map is made where there was none",
			in:     "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n",
			want:   "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n",
		},
		"look-alikes stay": {
			reason: "spec.finalizers, volumeName and secrets are not metadata",
			in:     "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\nspec: {finalizers: [kubernetes], nodeName: n1, volumeName: v}\nsecrets: [{name: x}]\n",
			want:   "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\nspec: {finalizers: [kubernetes], nodeName: n1, volumeName: v}\nsecrets: [{name: x}]\n",
		},
		"service, recommended": {
			reason: "a Service, with the node port dropped instead of null",
			in:     serviceBefore,
			want: `
				apiVersion: v1
				kind: Service
				metadata:
				  namespace: shop
				  name: web
				  creationTimestamp: "2026-01-01T00:00:00Z"
				  annotations: {}
				spec:
				  ports:
				  - {name: http, port: 80}
				  - {name: adm, port: 81}
				`,
		},
		"service, compatible": {
			reason: "a Service as KubeStellar does it: null on every port, also where there was none",
			opts:   Options{NullNodePorts: true},
			in:     serviceBefore,
			want: `
				apiVersion: v1
				kind: Service
				metadata:
				  namespace: shop
				  name: web
				  creationTimestamp: "2026-01-01T00:00:00Z"
				  annotations: {}
				spec:
				  ports:
				  - {name: http, port: 80, nodePort: null}
				  - {name: adm, port: 81, nodePort: null}
				`,
		},
		"preserved node port": {
			reason: "the annotation keeps the ports as they are, and itself",
			opts:   Options{NullNodePorts: true},
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: {control.kubestellar.io/preserve: nodeport}}\nspec: {ports: [{port: 1, nodePort: 31000}, {port: 2}]}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: {control.kubestellar.io/preserve: nodeport}}\nspec: {ports: [{port: 1, nodePort: 31000}, {port: 2}]}\n",
		},
		"preserve in another spelling": {
			reason: "only the exact value counts",
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: {control.kubestellar.io/preserve: NodePort}}\nspec: {ports: [{port: 1, nodePort: 31000}]}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: {control.kubestellar.io/preserve: NodePort}}\nspec: {ports: [{port: 1}]}\n",
		},
		"headless": {
			reason: "None is a choice of the user, an address is not",
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: None, clusterIPs: [None, 10.0.0.1]}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: None, clusterIPs: [None]}\n",
		},
		"empty address": {
			reason: `"" is a string other than None`,
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: \"\", clusterIPs: [], type: ClusterIP}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: ClusterIP}\n",
		},
		"service fields": {
			reason: "five fields go, their neighbours stay",
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ipFamilies: [IPv4], externalTrafficPolicy: Local, internalTrafficPolicy: Cluster, ipFamilyPolicy: SingleStack, sessionAffinity: None, sessionAffinityConfig: {}, healthCheckNodePort: 1, loadBalancerIP: a, allocateLoadBalancerNodePorts: true, selector: {a: b}}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {sessionAffinityConfig: {}, healthCheckNodePort: 1, loadBalancerIP: a, allocateLoadBalancerNodePorts: true, selector: {a: b}}\n",
		},
		"knative service": {
			reason: "the kind alone does not make a Service",
			in:     "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: 10.0.0.1, ports: [{nodePort: 1}]}\nstatus: {}\n",
			want:   "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: 10.0.0.1, ports: [{nodePort: 1}]}\n",
		},
		"malformed service": {
			reason: "what is not of the expected shape is left alone",
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: null}\nspec: {clusterIP: null, clusterIPs: None, ports: [1, null, {port: 1}]}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: s, annotations: null}\nspec: {clusterIP: null, clusterIPs: None, ports: [1, null, {port: 1}]}\n",
		},
		"job": {
			reason: "the controller's selector, suspension, annotation and labels go; emptied maps stay",
			in: `
				apiVersion: batch/v1
				kind: Job
				metadata:
				  name: j
				  annotations: {batch.kubernetes.io/job-tracking: ""}
				  labels: {controller-uid: u, batch.kubernetes.io/controller-uid: u}
				spec:
				  manualSelector: true
				  selector: {matchLabels: {a: b}}
				  suspend: false
				  template:
				    metadata:
				      labels: {controller-uid: u, job-name: j, batch.kubernetes.io/job-name: j, batch.kubernetes.io/controller-uid: u}
				`,
			want: `
				apiVersion: batch/v1
				kind: Job
				metadata:
				  name: j
				  annotations: {}
				  labels: {}
				spec:
				  manualSelector: true
				  template:
				    metadata:
				      labels: {job-name: j, batch.kubernetes.io/job-name: j}
				`,
		},
		"cronjob": {
			reason: "a CronJob's template is not a Job",
			in:     "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {suspend: true, jobTemplate: {spec: {selector: {}, suspend: true}}}\n",
			want:   "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {suspend: true, jobTemplate: {spec: {selector: {}, suspend: true}}}\n",
		},
		"alias into what goes": {
			reason: "removing an anchor must not leave an alias that points nowhere",
			in:     "apiVersion: v1\nkind: X\nmetadata: {name: x}\nstatus: &s {a: 1}\nspec: *s\n",
			want:   "apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: {a: 1}\n",
		},
		"alias shared with what stays": {
			reason: "a change behind an alias must not show where the anchor stands",
			in:     "apiVersion: v1\nkind: Service\nother: &p [{port: 1, nodePort: 2}]\nmetadata: {name: x}\nspec: {ports: *p}\n",
			want:   "apiVersion: v1\nkind: Service\nother: [{port: 1, nodePort: 2}]\nmetadata: {name: x}\nspec: {ports: [{port: 1}]}\n",
		},
		"alias without a change": {
			reason: "nothing to remove, nothing rewritten",
			in:     "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: &p [{port: 1}], more: *p}\n",
			want:   "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: &p [{port: 1}], more: *p}\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, tc.in)
			Clean(o, tc.opts)
			if d := cmp.Diff(dedent(tc.want), write(t, o)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			once := write(t, o)
			Clean(o, tc.opts)
			if d := cmp.Diff(once, write(t, o)); d != "" {
				t.Errorf("law broken: cleaning twice is cleaning once (-once +twice):\n%s", d)
			}
		})
	}
}

const serviceBefore = `
				apiVersion: v1
				kind: Service
				metadata:
				  namespace: shop
				  name: web
				  uid: 0f0e
				  creationTimestamp: "2026-01-01T00:00:00Z"
				  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
				spec:
				  clusterIP: 10.0.0.7
				  clusterIPs: [10.0.0.7]
				  ipFamilies: [IPv4]
				  sessionAffinity: None
				  ports:
				  - {name: http, port: 80, nodePort: 31000}
				  - {name: adm, port: 81}
				status: {loadBalancer: {}}
				`

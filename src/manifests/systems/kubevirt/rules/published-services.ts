import { CLOUD_CONTROLLER, cloudConfigOf } from './controller-config';
import { cloudControllerManager, SERVICE_POLICY } from './examples';
import { PlacedFields } from './kubevirt-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { TRACKING_ID } from '../../../objects/prune-annotations';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { documents, edited } from '../../../rules/example-text';
import { ManifestIndex, TargetCluster } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, runningPrograms, valueOf } from '../../../rules/programs';
import { fieldAt, FieldPath, isFields, isSet, listAt, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const PUBLISHER = 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go';
const SERVICE = '/Service';
const ENDPOINT_SLICE = 'discovery.k8s.io/EndpointSlice';
const ENDPOINTS = '/Endpoints';
const POLICY = 'admissionregistration.k8s.io/ValidatingAdmissionPolicy';
const DROPPING_POLICY = 'admissionregistration.k8s.io/MutatingAdmissionPolicy';

const CLUSTER_TEXT = clusterYaml(CLUSTER_PARTS);
const MANAGER_TEXT = cloudControllerManager('acme');

const SERVICE_TEXT = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {app: web}
  ports:
    - port: 443
`;

const SLICE_TEXT = `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: web-legacy
  namespace: shop
  labels:
    kubernetes.io/service-name: web
addressType: IPv4
endpoints:
  - addresses: [192.0.2.10]
    nodeName: acme-general-0
ports:
  - port: 443
`;

const CONFIG_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-cloud-controller-manager
  namespace: tenant-acme
data:
  cloud-config: |
    namespace: tenant-acme
    loadBalancer:
      enabled: true
      enableEPSController: true
`;

const LOCAL_MANAGER_TEXT = `${MANAGER_TEXT}          volumeMounts:
            - {name: cloud-config, mountPath: /etc/cloud}
      volumes:
        - name: cloud-config
          configMap: {name: acme-cloud-controller-manager}
`;

/** Publisher of a tenant's Services: KubeVirt's cloud controller manager, with its configuration. */
interface Publisher {
  readonly deployment: ManifestObject;
  readonly config: unknown;
}

const PUBLISHERS = new WeakMap<ManifestIndex, Publisher | null>();

/** The cloud controller manager that publishes the Services of the tenant; undefined in a management cluster, and where another one does. */
function publisherOf(index: ManifestIndex): Publisher | undefined {
  if (!index.target) return undefined;
  let known = PUBLISHERS.get(index);
  if (known === undefined) PUBLISHERS.set(index, known = findPublisher(index.target) ?? null);
  return known ?? undefined;
}

function findPublisher({ management, namespace, name }: TargetCluster): Publisher | undefined {
  const programs = POD_KINDS.flatMap((kind) => management.allIn(kind, namespace))
    .flatMap(runningPrograms).filter((program) => program.name === CLOUD_CONTROLLER);
  const program = programs.find((one) => {
    const named = argumentOf(one, 'cluster-name');
    return named === undefined || valueOf(one, named, management) === name;
  });
  const config = program && cloudConfigOf(program, management);
  // Its load balancers are enabled by default (pkg/provider/cloud.go, createDefaultCloudConfig).
  return program && fieldAt(config, 'loadBalancer', 'enabled') !== false ? { deployment: program.object, config } : undefined;
}

/** True if the cloud controller manager of the tenant publishes a Service. One with a class is for another controller (k8s.io/cloud-provider). */
function isPublished(service: ManifestObject): boolean {
  return stringAt(service, 'spec', 'type') === 'LoadBalancer' && !isSet(service, 'spec', 'loadBalancerClass');
}

const RANGES: FieldPath = ['spec', 'loadBalancerSourceRanges'];

const SOURCE_RANGES: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SOURCE-RANGES',
  title: 'Services that KubeVirt\'s cloud controller manager publishes must not set loadBalancerSourceRanges: it ignores them, and the load balancer is open to every address.',
  source: `${PUBLISHER}, v0.6.0 (createLoadBalancerService)`,
  kinds: [SERVICE],
  trap: true,
  example: {
    management: documents(CLUSTER_TEXT, MANAGER_TEXT),
    failing: edited(SERVICE_TEXT, { 'type: LoadBalancer': 'type: LoadBalancer\n  loadBalancerSourceRanges: [203.0.113.0/24]' }),
    corrected: SERVICE_TEXT,
  },
  check: (service, index) => (!isPublished(service) || listAt(service, ...RANGES).length === 0 || !publisherOf(index) ? [] : [{
    path: RANGES,
    message: `the cloud controller manager of ${index.target!.name} does not copy it, so that the load balancer in the infrastructure cluster accepts every source`,
    fix: 'remove it, and limit sources where they are known: by a NetworkPolicy with externalTrafficPolicy: Local, in the ingress controller, or at the load balancer itself',
  }]),
};

const LOCAL_ENDPOINTS: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-LOCAL-ENDPOINTS',
  title: 'Endpoints of a load balancer with local traffic must name their node: the cloud controller manager that writes EndpointSlices ends at one without, after each start again.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go, v0.6.0 (getDesiredEndpoints)',
  kinds: [ENDPOINT_SLICE, ENDPOINTS],
  trap: true,
  example: {
    management: documents(CLUSTER_TEXT, LOCAL_MANAGER_TEXT, CONFIG_TEXT),
    failing: documents(edited(SLICE_TEXT, { '    nodeName: acme-general-0\n': '' }), SERVICE_TEXT),
    corrected: documents(SLICE_TEXT, SERVICE_TEXT),
  },
  check: (object, index) => {
    const named = groupKind(object) === ENDPOINTS ? nameOf(object) : stringAt(object, 'metadata', 'labels', 'kubernetes.io/service-name');
    const service = index.find(SERVICE, namespaceOf(object), named);
    if (!service || !isPublished(service) || stringAt(service, 'spec', 'externalTrafficPolicy') !== 'Local') return [];
    if (fieldAt(publisherOf(index)?.config, 'loadBalancer', 'enableEPSController') !== true) return [];
    return endpointsOf(object).filter(({ fields }) => stringAt(fields, 'nodeName') === undefined).map(({ path }) => ({
      path,
      message: `it has no nodeName, at which the cloud controller manager of ${index.target!.name} ends: no new node becomes ready, and no load balancer changes, until the object is gone`,
      fix: 'name the node, or let the Service have externalTrafficPolicy: Cluster',
    }));
  },
};

/** The endpoints of an EndpointSlice, or of Endpoints, from which Kubernetes makes EndpointSlices. */
function endpointsOf(object: ManifestObject): PlacedFields[] {
  const subsets = objectsAt(object, 'subsets').flatMap(([subset, at]) => ['addresses', 'notReadyAddresses'].flatMap((list) => (
    objectsAt(subset, list).map(([fields, place]) => ({ fields, path: ['subsets', at, list, place] })))));
  return [...objectsAt(object, 'endpoints').map(([fields, at]) => ({ fields, path: ['endpoints', at] })), ...subsets];
}

const ANNOTATIONS: FieldPath = ['metadata', 'annotations'];

const REFUSED_SERVICE: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SERVICE-REFUSED',
  title: 'Services that KubeVirt\'s cloud controller manager publishes must not bring annotations or externalIPs that the tenant\'s policy refuses in the management cluster: they stay pending.',
  source: `${PUBLISHER}, v0.6.0 (createLoadBalancerService copies all annotations)`,
  kinds: [SERVICE],
  trap: true,
  example: {
    management: documents(CLUSTER_TEXT, MANAGER_TEXT, SERVICE_POLICY),
    failing: edited(SERVICE_TEXT, { '  namespace: shop': '  namespace: shop\n  annotations:\n    external-dns.alpha.kubernetes.io/hostname: shop.example.com' }),
    corrected: edited(SERVICE_TEXT, { '  namespace: shop': '  namespace: shop\n  annotations:\n    example.com/pool: public' }),
  },
  check: (service, index) => {
    const allowed = isPublished(service) && index.target ? acceptedAnnotations(index.target) : undefined;
    return allowed ? refusedFields(service, allowed) : [];
  },
};

function refusedFields(service: ManifestObject, allowed: readonly string[]): Finding[] {
  const annotations = fieldAt(service, ...ANNOTATIONS);
  const keys = Object.keys(isFields(annotations) ? annotations : {}).filter((key) => key !== TRACKING_ID && !allowed.includes(key));
  return [
    ...keys.map((key) => ({
      path: [...ANNOTATIONS, key],
      message: 'it is copied to the management cluster, whose policy for the tenant refuses it: the Service stays pending',
      fix: 'remove it; or allow the key (annotations of ServiceIsolation.admissionPolicy), or have keys dropped that are not allowed (dropAnnotations)',
    })),
    ...(listAt(service, 'spec', 'externalIPs').length === 0 ? [] : [{
      path: ['spec', 'externalIPs'],
      message: 'it is copied to the management cluster, whose policy for the tenant refuses it: the Service stays pending',
      fix: 'remove it: the load balancer chooses the address',
    }]),
  ];
}

/** Annotations that the policy for a tenant's Services allows, as `TenantIsolation` writes it; undefined where there is none like it. */
export function acceptedAnnotations(tenant: TargetCluster): readonly string[] | undefined {
  const publisher = findPublisher(tenant);
  if (!publisher) return undefined;
  const { deployment } = publisher;
  const { management } = tenant;
  const account = stringAt(deployment, 'spec', 'template', 'spec', 'serviceAccountName') ?? nameOf(deployment);
  const user = JSON.stringify(`system:serviceaccount:${namespaceOf(deployment)}:${account}`);
  const isForIt = (policy: ManifestObject): boolean => (
    objectsAt(policy, 'spec', 'matchConditions').some(([condition]) => stringAt(condition, 'expression')?.includes(user)));
  // Annotations that a policy drops are refused no more.
  if (management.all(DROPPING_POLICY).some(isForIt)) return undefined;
  for (const policy of management.all(POLICY).filter(isForIt)) {
    const [variable] = objectsAt(policy, 'spec', 'variables').filter(([{ name }]) => name === 'refusedAnnotations');
    const [, list] = /!\(key in (\[[^\]]*\])\)/.exec(stringAt(variable?.[0], 'expression') ?? '') ?? [];
    if (list !== undefined) return textsIn(list);
  }
  return undefined;
}

/** Strings of a list of CEL, whose literals are those of JSON. */
function textsIn(list: string): readonly string[] | undefined {
  try {
    return (JSON.parse(list) as unknown[]).filter((text) => typeof text === 'string');
  } catch {
    return undefined;
  }
}

/** Services of a tenant that are published in the cluster of its machines. */
export const PUBLISHED_SERVICES: readonly ManifestRule[] = [SOURCE_RANGES, LOCAL_ENDPOINTS, REFUSED_SERVICE];

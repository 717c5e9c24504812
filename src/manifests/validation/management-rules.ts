import { managementNetworks, releaseKinds } from './pod-networks';
import { releasesOf, Tenant } from './tenants';
import { groupKind } from '../objects/manifest-object';
import { CLUSTER_PARTS, clusterYaml } from '../rules/cluster-api/example-manifests';
import { documents, edited, replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { ReleaseValues } from '../rules/tenant-charts';
import { cloudControllerManager, EPHEMERAL_MACHINE, SERVICE_POLICY } from '../systems/kubevirt/rules/examples';
import { providers } from '../systems/providers';
import { Fields, isFields } from '../values/fields';

const NETWORK_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: flannel
  namespace: kube-flannel
spec:
  interval: 1h
  chart:
    spec:
      chart: flannel
      version: v0.28.9
      sourceRef: {kind: HelmRepository, name: flannel}
`;

const MACHINE_TEXT = edited(EPHEMERAL_MACHINE, {
  '            spec:\n': `            metadata: {annotations: {kubevirt.io/allow-pod-bridge-network-live-migration: ""}}
            spec:
              evictionStrategy: External
`,
});

const MOVED_ADDRESS: ManifestRule = {
  id: 'TC-TRAP-CNI-MOVED-ADDRESS',
  title: 'Machines that are bridged to the pod network must not move to another host where it gives them another address: the node loses all connections.',
  source: 'kubevirt/community design-proposals, live migration of bridged pod networks; kubevirt issues 7238, 9776',
  get kinds() { return providers().flatMap(({ movingMachines = {} }) => Object.keys(movingMachines)); },
  trap: true,
  example: replaced(MACHINE_TEXT, 'evictionStrategy: External', 'evictionStrategy: LiveMigrate', NETWORK_TEXT),
  check: (object, index) => {
    const path = providers().map(({ movingMachines }) => movingMachines?.[groupKind(object)]?.(object, index)).find((field) => field !== undefined);
    const networks = path ? managementNetworks(index) : [];
    if (!path || networks.length === 0 || networks.some(({ settings }) => settings.keepsAddresses !== false)) return [];
    return [{
      path,
      message: `${networks[0].facts.title} of the management cluster gives a moved machine another address, under its kubelet and its pod network`,
      fix: 'have the node drained and the machine stopped, or use a network plug-in that keeps the addresses of virtual machines',
    }];
  },
};

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: acme-ingress
  namespace: tenant-acme
spec:
  interval: 1h
  targetNamespace: ingress
  storageNamespace: ingress
  install:
    createNamespace: true
    remediation: {retries: -1}
  chart:
    spec:
      chart: ingress-nginx
      version: 4.15.1
      sourceRef: {kind: HelmRepository, name: ingress-nginx}
  kubeConfig:
    secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}
  values:
    controller:
      service:
        annotations: {example.com/pool: public}
`;

/** Values with the Service of a chart that is of type LoadBalancer if the type is left out. */
const LOAD_BALANCERS: Readonly<Record<string, readonly string[]>> = {
  'gateway': ['service'], 'ingress-nginx': ['controller.service'], 'kong': ['proxy'], 'traefik': ['service'],
};

const REFUSED_VALUE: ManifestRule = {
  id: 'TC-TRAP-CHART-SERVICE-REFUSED',
  title: 'Values of a chart must not give a Service of type LoadBalancer annotations that the tenant\'s policy refuses in the management cluster: it stays pending.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0 (copies all annotations)',
  get kinds() { return releaseKinds(); },
  trap: true,
  example: replaced(RELEASE_TEXT, 'example.com/pool: public', 'external-dns.alpha.kubernetes.io/hostname: shop.example.com', documents(clusterYaml(CLUSTER_PARTS), cloudControllerManager('acme'), SERVICE_POLICY)),
  check: (object, index) => releasesOf(object, index).flatMap(({ chart, values, tenant }) => {
    const services = tenant ? annotatedServices(chart, values) : [];
    const accepted = services.length > 0 ? acceptedBy(tenant!) : undefined;
    const keys = services.flatMap(({ path, annotations }) => Object.keys(annotations).map((key) => ({ path: [...path, key], key })));
    return accepted === undefined ? [] : keys.filter(({ key }) => !accepted.includes(key)).map(({ path, key }) => ({
      path: values.setting(path, '')?.path ?? ['spec'],
      message: `${key} of a load balancer is copied to the management cluster, whose policy for "${tenant!.name}" refuses it: the Service stays pending`,
      fix: 'remove it; or allow the key (annotations of ServiceIsolation.admissionPolicy), or have keys dropped that are not allowed (dropAnnotations)',
    }));
  }),
};

function acceptedBy({ management, namespace, name }: Tenant): readonly string[] | undefined {
  const target = { management, namespace, name };
  return providers().map(({ acceptedAnnotations }) => acceptedAnnotations?.(target)).find((accepted) => accepted !== undefined);
}

/** Annotations of Services in values, and their path. */
interface AnnotatedService {
  readonly path: readonly string[];
  readonly annotations: Fields;
}

/** The Services of type LoadBalancer that values give annotations. One with a class is for another controller. */
function annotatedServices(chart: string, values: ReleaseValues): AnnotatedService[] {
  const find = (value: unknown, path: readonly string[]): AnnotatedService[] => {
    if (!isFields(value)) return [];
    const { annotations, type, loadBalancerClass } = value;
    const byDefault = type === undefined && LOAD_BALANCERS[chart]?.includes(path.join('.'));
    const isPublished = (type === 'LoadBalancer' || byDefault) && loadBalancerClass === undefined;
    return [
      ...isPublished && isFields(annotations) ? [{ path: [...path, 'annotations'], annotations }] : [],
      ...Object.entries(value).flatMap(([key, inner]) => find(inner, [...path, key])),
    ];
  };
  return find(values.setting([], {})?.value, []);
}

/** Rules for tenants whose machines, or Services, come into the management cluster. */
export const MANAGEMENT_RULES: readonly ManifestRule[] = [MOVED_ADDRESS, REFUSED_VALUE];

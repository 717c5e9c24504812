import { readGolden } from '../../../scripts/golden/golden-store';
import { sortFiles } from '../../../scripts/golden/sort-files';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { parse } from '../../support/outputs';

const TEXT = sortFiles(readGolden()['delivery-flux']).management;

/** A value that counts how often something in it is read. */
function counted(value: unknown, count: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inside = Array.isArray(value) ? value.map((item) => counted(item, count))
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, counted(item, count)]));
  return new Proxy(inside, {
    get: (target, name) => {
      count();
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** Number of fields that are read to validate objects. */
function reads(text: string): number {
  let number = 0;
  const objects = parse(text).map((object) => counted(object, () => { number++; }));
  const { found } = new ManifestValidator().validate([objects], { silences: [], strict: false });
  // A control plane of the sample is small for hundreds of nodes, and the quota of one tenant for several in its namespace.
  expect(found.map(({ finding }) => finding.rule).filter(({ warning, id }) => !warning && id !== 'TC-TRAP-QUOTA-ROOM')).toEqual([]);
  return number;
}

/** A text over and over, each time with other names. */
function repeated(text: string, times: number, nameOf: (text: string, index: number) => string): string {
  return Array.from({ length: times }, (_, index) => nameOf(text, index)).join('---\n');
}

const DOCUMENTS = TEXT.split(/^---\n/m);
const OF_POOL = DOCUMENTS.filter((text) => text.includes('acme-general'));
const OTHERS = DOCUMENTS.filter((text) => !text.includes('acme-general'));

const BUDGET = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'registry.example.com/web:1.0.0'}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: default}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`;
const ADDRESSES = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: web, namespace: metallb-system}
spec: {addresses: [192.0.2.20-192.0.2.40]}
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: web, namespace: metallb-system}
spec: {ipAddressPools: [web]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default, annotations: {metallb.io/address-pool: web}}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
`;

test.each<[string, (times: number) => string]>([
  ['tenants, with a namespace each', (times) => repeated(TEXT, times, (text, index) => text.replaceAll('acme', `acme-${index}`))],
  ['tenants in one namespace', (times) => repeated(TEXT, times, (text, index) => text.replaceAll('acme', `acme-${index}`).replaceAll(/tenant-acme-\d+/g, 'tenants'))],
  ['pools of one tenant', (times) => [...OTHERS, repeated(OF_POOL.join('---\n'), times * 4, (text, index) => text.replaceAll('general', `general-${index}`))].join('---\n')],
  ['disruption budgets of one namespace', (times) => repeated(BUDGET, times * 4, (text, index) => text.replaceAll('web', `web-${index}`))],
  ['pools of addresses', (times) => repeated(ADDRESSES, times * 4, (text, index) => text.replaceAll('web', `web-${index}`).replaceAll('192.0.2', `192.0.${index}`))],
])('twice as many %s are twice as much to read', (_name, text) => {
  const [few, many, most] = [4, 8, 12].map((times) => reads(text(times)));
  expect(few).toBeGreaterThan(1000);
  expect((most - many) / (many - few)).toBeGreaterThan(0.95);
  expect((most - many) / (many - few)).toBeLessThan(1.05);
});

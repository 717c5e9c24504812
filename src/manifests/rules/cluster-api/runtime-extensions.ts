import { CLUSTER_CLASS, CORE_WEBHOOKS } from './cluster-api-kinds';
import { patchesOf } from './cluster-class-patches';
import { clusterClassYaml, gateYaml } from './example-manifests';
import { isGateOn, turnOn } from './feature-gates';
import { groupKind, ManifestObject, nameOf } from '../../objects/manifest-object';
import { checkDns1035Label, checkDnsLabel, DNS_LABEL_MAX_LENGTH } from '../../values/dns';
import { fieldAt, FieldPath, isFilled, isSet, numberAt, stringAt } from '../../values/fields';
import { Finding, findingsAt } from '../../values/finding';
import { nameFix } from '../../values/object-name';
import { replaced } from '../example-text';
import { checkLabelSelector } from '../label-selectors';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';

export const EXTENSION_CONFIG = 'runtime.cluster.x-k8s.io/ExtensionConfig';
const GATE = 'RuntimeSDK';
const SOURCE = `${CORE_WEBHOOKS}/extensionconfig.go`;
const CLIENT = ['spec', 'clientConfig'];
const HIGHEST_PORT = 65535;

const EXTENSION_TEXT = `apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata:
  name: node-images
spec:
  clientConfig:
    service: {name: node-images, namespace: extensions, path: /hooks, port: 443}
  namespaceSelector:
    matchLabels: {example.com/extended: "true"}
`;
const EXTERNAL = clusterClassYaml('patches:\n  - name: images\n    external:\n      generatePatchesExtension: generate-patches.node-images');

const GATED: ManifestRule = {
  id: 'TC-ADMIT-RUNTIME-GATE',
  title: `Extensions, and patches of a ClusterClass that come from an extension, require Cluster API's feature gate ${GATE}, which is off by default.`,
  source: `${SOURCE}, ${CORE_WEBHOOKS}/patch_validation.go, feature/feature.go`,
  warning: true,
  kinds: [CLUSTER_CLASS, EXTENSION_CONFIG],
  example: { failing: EXTERNAL + gateYaml('ClusterTopology'), corrected: EXTERNAL + gateYaml('ClusterTopology', GATE) },
  check: (object, index) => {
    if (isGateOn(GATE, index)) return [];
    const paths: FieldPath[] = groupKind(object) === EXTENSION_CONFIG ? [['spec']]
      : patchesOf(object).filter(({ patch }) => isSet(patch, 'external')).map(({ path }) => [...path, 'external']);
    return paths.map((path) => ({ path, message: `a Cluster API without the feature gate ${GATE} refuses it`, fix: turnOn(GATE) }));
  },
};

const NAME: ManifestRule = {
  id: 'TC-ADMIT-RUNTIME-NAME',
  title: 'The name of an ExtensionConfig must be a DNS label: the names of its handlers end with it.',
  source: SOURCE,
  kinds: [EXTENSION_CONFIG],
  example: ofExtension('name: node-images\nspec', 'name: node.images\nspec'),
  check: (object) => {
    const name = nameOf(object);
    const message = name === undefined ? undefined : checkDnsLabel(name);
    return name === undefined || message === undefined ? [] : [{ path: ['metadata', 'name'], message, fix: nameFix(name, checkDnsLabel, DNS_LABEL_MAX_LENGTH) }];
  },
};

const ADDRESS: ManifestRule = {
  id: 'TC-ADMIT-RUNTIME-CLIENT',
  title: 'An extension must have either a Service or an https URL.',
  source: SOURCE,
  kinds: [EXTENSION_CONFIG],
  example: ofExtension('    service: {name: node-images, namespace: extensions, path: /hooks, port: 443}', '    url: http://node-images.example.com'),
  check: checkClient,
};

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-RUNTIME-SELECTOR',
  title: 'The namespace selector of an ExtensionConfig must be valid.',
  source: SOURCE,
  kinds: [EXTENSION_CONFIG],
  example: ofExtension('matchLabels: {example.com/extended: "true"}', 'matchExpressions: [{key: example.com/extended, operator: In}]'),
  check: (object) => findingsAt(['spec', 'namespaceSelector'], checkLabelSelector(fieldAt(object, 'spec', 'namespaceSelector'))),
};

/** Extensions of Cluster API: programs that it asks while it works. */
export const RUNTIME_EXTENSIONS: readonly ManifestRule[] = [GATED, NAME, ADDRESS, SELECTOR];

function ofExtension(right: string, wrong: string) {
  return replaced(EXTENSION_TEXT, right, wrong, gateYaml(GATE).replace('---\n', ''));
}

function checkClient(object: ManifestObject): Finding[] {
  // Without it, the definition says so.
  if (!isSet(object, ...CLIENT)) return [];
  const url = stringAt(object, ...CLIENT, 'url');
  const hasService = isFilled(object, ...CLIENT, 'service');
  if (hasService === (url !== undefined)) {
    return [{ path: CLIENT, message: hasService ? 'it has both url and service' : 'it has neither url nor service', fix: 'keep one of them' }];
  }
  const service = [...CLIENT, 'service'];
  const [name, namespace, path] = ['name', 'namespace', 'path'].map((field) => stringAt(object, ...service, field));
  const port = numberAt(object, ...service, 'port');
  const nameFault = name === undefined ? undefined : checkDns1035Label(name);
  const namespaceFault = namespace === undefined ? undefined : checkDnsLabel(namespace);
  return [
    ...(url === undefined || /^https:\/\/[^/]/i.test(url) ? [] : [{
      path: [...CLIENT, 'url'], message: `${JSON.stringify(url)} is no https address`, accepted: 'addresses such as "https://hooks.example.com"', fix: 'serve the extension over https',
    }]),
    ...(nameFault === undefined ? [] : [{ path: [...service, 'name'], message: nameFault, fix: 'write the name of the Service' }]),
    ...(namespaceFault === undefined ? [] : [{ path: [...service, 'namespace'], message: namespaceFault, fix: 'write the namespace of the Service' }]),
    ...(path === undefined || path.startsWith('/') ? [] : [{ path: [...service, 'path'], message: `${JSON.stringify(path)} does not start with "/"`, fix: `write "/${path}"` }]),
    ...(port === undefined || (port >= 1 && port <= HIGHEST_PORT) ? [] : [{
      path: [...service, 'port'], message: `${port} is no port`, accepted: `1 to ${HIGHEST_PORT}`, fix: 'write the port of the Service, or leave it out for 443',
    }]),
  ];
}

/**
 * The ClusterClasses with patches that come from an extension: names of handlers end with that of the ExtensionConfig.
 *
 * Source: kubernetes-sigs/cluster-api exp/runtime/internal/registry (NameForHandler), core/reconcilers/topology/cluster (external patches), v1.14.2.
 */
export function classesWithPatchesOf(extension: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  if (groupKind(extension) !== EXTENSION_CONFIG) return [];
  const handlers = ['generatePatchesExtension', 'validateTopologyExtension', 'discoverVariablesExtension', 'generateExtension', 'validateExtension'];
  return index.all(CLUSTER_CLASS).filter((clusterClass) => patchesOf(clusterClass).some(({ patch }) => (
    handlers.some((field) => stringAt(patch, 'external', field)?.endsWith(`.${nameOf(extension)}`)))));
}

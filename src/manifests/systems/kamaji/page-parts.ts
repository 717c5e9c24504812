import { KAMAJI_CONTROL_PLANE } from './rules/kamaji-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { call, fieldsOf, instance, listOf, PageCall, PageFields } from '../../rules/page-expression';
import { PageParts } from '../../rules/page-parts';
import { fieldAt, isFields, isSet, numberAt, stringAt, stringsAt } from '../../values/fields';

const KAMAJI_REGISTRY = 'registry.k8s.io';

/** Parts that the class installs unless it is told not to, by their fields. */
const ADDONS: Readonly<Record<string, readonly [property: string, none: string]>> = {
  coreDNS: ['coreDns', 'KamajiCoreDns.none'],
  kubeProxy: ['kubeProxy', 'KamajiKubeProxy.none'],
  konnectivity: ['konnectivity', 'KamajiKonnectivity.none'],
};

/** Reads a `KamajiControlPlane` as the class that makes it. */
function controlPlane(object: ManifestObject): PageCall {
  const text = (field: string) => stringAt(object, 'spec', field);
  const left = Object.entries(ADDONS).filter(([field]) => !isSet(object, 'spec', 'addons', field));
  return instance('KamajiControlPlane', {
    replicas: numberAt(object, 'spec', 'replicas') ?? 2,
    dataStore: text('dataStoreName'),
    dataStoreSchema: text('dataStoreSchema'),
    dataStoreUsername: text('dataStoreUsername'),
    exposure: exposure(fieldAt(object, 'spec', 'network')),
    certSans: listOf(stringsAt(object, 'spec', 'network', 'certSANs').map(([name]) => name)),
    ...Object.fromEntries(left.map(([, [property, none]]) => [property, call(none)])),
    registry: text('registry') === KAMAJI_REGISTRY ? undefined : text('registry'),
    ...Object.fromEntries(['apiServer', 'controllerManager', 'scheduler'].map((name) => [name, component(fieldAt(object, 'spec', name))])),
  });
}

/** The way to the API server. The fields of an Ingress or Gateway beside those of the class become patches. */
function exposure(network: unknown): PageCall | undefined {
  const text = (...path: readonly string[]) => stringAt(network, ...path);
  const service: PageFields = {
    advertiseAddress: text('advertiseAddress'),
    serviceLabels: fieldsOf(fieldAt(network, 'serviceLabels')),
    serviceAnnotations: fieldsOf(fieldAt(network, 'serviceAnnotations')),
  };
  if (isSet(network, 'ingress')) {
    const [hostname, port] = hostAndPort(text('ingress', 'hostname'));
    return call('KamajiExposure.ingress', {
      hostname,
      port,
      className: text('ingress', 'className'),
      annotations: fieldsOf(fieldAt(network, 'ingress', 'extraAnnotations')),
      labels: fieldsOf(fieldAt(network, 'ingress', 'extraLabels')),
      ...service,
    });
  }
  if (isSet(network, 'gateway')) {
    const [hostname, port] = hostAndPort(text('gateway', 'hostname'));
    return call('KamajiExposure.gateway', { name: text('gateway', 'name'), namespace: text('gateway', 'namespace'), hostname, port, ...service });
  }
  const address = text('serviceAddress');
  if (text('serviceType') === 'NodePort' && address !== undefined) {
    return call('KamajiExposure.nodePort', { address, port: numberAt(network, 'apiServerPort') ?? 6443, ...service });
  }
  if (text('serviceType') === 'ClusterIP') return call('KamajiExposure.clusterIp', { address, ...service });
  const options = {
    address,
    loadBalancerClass: text('loadBalancerConfig', 'loadBalancerClass'),
    sourceRanges: listOf(stringsAt(network, 'loadBalancerConfig', 'loadBalancerSourceRanges').map(([range]) => range)),
    ...service,
  };
  return Object.values(options).every((value) => value === undefined) ? undefined : call('KamajiExposure.loadBalancer', options);
}

/** A host, and the port behind it. */
function hostAndPort(text = ''): readonly [host: string, port: number | undefined] {
  const [, host = text, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  return [host, port === undefined ? undefined : Number(port)];
}

function component(given: unknown): PageFields | undefined {
  const resources = fieldAt(given, 'resources');
  return fieldsOf({
    extraArgs: listOf(stringsAt(given, 'extraArgs').flatMap(([text]) => argument(text))),
    resources: isFields(resources) ? fieldsOf({ requests: fieldsOf(resources.requests), limits: fieldsOf(resources.limits) }) : undefined,
    image: stringAt(given, 'containerImageName'),
  });
}

/** `--name=value`. */
function argument(text: string): PageFields[] {
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(text) ?? [];
  return name === undefined ? [] : [{ name, value }];
}

/** The classes of pages that make Kamaji's objects. */
export const PAGE_PARTS: PageParts = { controlPlanes: { [KAMAJI_CONTROL_PLANE]: controlPlane } };

import {
  DATA_TEXT, machineTemplateText, METAL3_API_VERSION, METAL3_CLUSTER, METAL3_CLUSTER_TEMPLATE, METAL3_DATA_TEMPLATE, METAL3_MACHINE,
  METAL3_MACHINE_TEMPLATE,
} from './metal3-kinds';
import {
  fieldAt, Finding, groupKind, isFields, isSet, machineRules, ManifestRule, numberAt, objectsAt, objectsInLists, otherNamespace, providerYaml,
  replaced, specPath, stringAt, templateProviderId,
} from '../../rules/contract';
import { breaksFormat } from '../../schema/formats';
import { unnamed } from '../metal3-ipam/ip-pools';

// Rules of the provider's webhooks, beyond their definitions.

const WEBHOOKS = 'metal3-io/cluster-api-provider-metal3 internal/webhooks/v1beta2';

const ENDPOINT: ManifestRule = {
  id: 'TC-ADMIT-METAL3-ENDPOINT',
  title: 'A Metal3Cluster must state the address of the API server, which the provider does not create.',
  source: `${WEBHOOKS}/metal3cluster_webhook.go, metal3clustertemplate_webhook.go, api/v1beta2/metal3cluster_types.go (IsValid)`,
  kinds: [METAL3_CLUSTER, METAL3_CLUSTER_TEMPLATE],
  example: replaced(providerYaml(METAL3_API_VERSION, 'Metal3Cluster', 'controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}'), 'host: 192.0.2.10, ', ''),
  check: (object) => {
    const isTemplate = groupKind(object) === METAL3_CLUSTER_TEMPLATE;
    const path = [...specPath(object), 'controlPlaneEndpoint'];
    const fix = 'state the address at which the API server is reached: a virtual address that kube-vip or keepalived carries, or a load balancer of yours';
    return [
      ...(stringAt(object, ...path, 'host') === undefined ? [{ path, message: 'no address of the API server is stated, and Metal3 makes none', fix }] : []),
      // The webhook of Metal3Cluster sets the port.
      ...(isTemplate && !numberAt(object, ...path, 'port') ? [{ path: [...path, 'port'], message: 'the port of the API server is missing', fix: 'write 6443' }] : []),
    ];
  },
};

const IMAGE: ManifestRule = {
  id: 'TC-ADMIT-METAL3-IMAGE',
  title: 'A machine of Metal3 must have an image with the URL and the checksum of its file, or a method of deployment.',
  source: `${WEBHOOKS}/metal3machinetemplate_webhook.go, metal3machine_webhook.go, api/v1beta2/common_types.go (Image.Validate)`,
  kinds: [METAL3_MACHINE, METAL3_MACHINE_TEMPLATE],
  example: replaced(machineTemplateText(), 'checksum: https://images.example.com/node.qcow2.sha256', 'checksum: ""'),
  check: (object) => {
    const spec = specPath(object);
    const [path, deploy] = [[...spec, 'image'], stringAt(object, ...spec, 'customDeploy', 'method')];
    // Definitions require a spec of templates in v1beta2, and what is in that of any template.
    const isRequired = isSet(object, 'spec') || (groupKind(object) === METAL3_MACHINE_TEMPLATE && object.apiVersion === METAL3_API_VERSION);
    if (deploy !== undefined || (isRequired && !isFields(fieldAt(object, ...spec)))) return [];
    const [url, checksum] = [stringAt(object, ...path, 'url'), stringAt(object, ...path, 'checksum')];
    if (url === undefined && !isSet(object, ...path, 'checksum')) return [{ path, message: 'there is neither an image nor a method of deployment', fix: 'state url and checksum of an image' }];
    const isLive = (fieldAt(object, ...path, 'diskFormat') ?? fieldAt(object, ...path, 'format')) === 'live-iso';
    // The definition requires both, and in v1beta2 checks the URL.
    const isChecked = url === undefined || object.apiVersion === METAL3_API_VERSION;
    return [
      ...(isChecked || !breaksFormat('uri', url) ? [] : [{
        path: [...path, 'url'], message: `${JSON.stringify(url)} is not the URL of an image`, accepted: 'URLs such as https://images.example.com/node.qcow2', fix: 'write the URL with its scheme',
      }]),
      ...(checksum === undefined && isSet(object, ...path, 'checksum') && !isLive ? [{
        path: [...path, 'checksum'], message: 'the image has no checksum', accepted: 'a checksum, or the URL of one; none is needed with the disk format live-iso', fix: 'write the SHA-256 checksum of the file, or the URL of a file that has it',
      }] : []),
      ...(checksum !== undefined && !isLive && /^https?:\/\//.test(checksum) && breaksFormat('uri', checksum) ? [{
        path: [...path, 'checksum'], message: `${JSON.stringify(checksum)} is not a URL`, fix: 'write the URL of the file with the checksum',
      }] : []),
    ];
  },
};

const SECRET_RULES = machineRules({
  machines: {
    id: 'TC-ADMIT-METAL3-SECRET-NAMESPACE',
    title: 'Secrets of a Metal3Machine must be in its namespace.',
    source: `${WEBHOOKS}/metal3machine_webhook.go (validateSecretNamespace)`,
    kinds: [METAL3_MACHINE],
    example: replaced(providerYaml(METAL3_API_VERSION, 'Metal3Machine', `image: {url: 'https://images.example.com/node.qcow2', checksum: 'https://images.example.com/node.qcow2.sha256'}
userData: {name: acme-user-data, namespace: tenant-acme}
`, 'acme-1'), 'user-data, namespace: tenant-acme', 'user-data, namespace: default'),
  },
  templates: {
    id: 'TC-TRAP-METAL3-SECRET-NAMESPACE',
    title: 'Secrets of machines of Metal3 must be in their namespace: the machines are refused otherwise.',
    source: `${WEBHOOKS}/metal3machine_webhook.go (validateSecretNamespace)`,
    kinds: [METAL3_MACHINE_TEMPLATE],
    example: replaced(machineTemplateText('userData: {name: acme-user-data, namespace: tenant-acme}\n'), 'user-data, namespace: tenant-acme', 'user-data, namespace: default'),
  },
  check: (object, spec) => ['userData', 'metaData', 'networkData'].flatMap((secret) => otherNamespace(object, [...spec, secret, 'namespace'], 'put the Secret into the namespace of the machine')),
});

const DATA_CLAIM: ManifestRule = {
  id: 'TC-ADMIT-METAL3-DATA-CLAIM',
  title: 'A Metal3DataClaim must name a template in its namespace.',
  source: `${WEBHOOKS}/metal3dataclaim_webhook.go`,
  kinds: ['infrastructure.cluster.x-k8s.io/Metal3DataClaim'],
  example: replaced(providerYaml(METAL3_API_VERSION, 'Metal3DataClaim', 'template: {name: acme}'), '{name: acme}', '{}'),
  check: (object) => [...unnamed(object, 'template'), ...otherNamespace(object, ['spec', 'template', 'namespace'], 'claim data of a template in the namespace')],
};

const DATA: ManifestRule = {
  id: 'TC-ADMIT-METAL3-DATA',
  title: 'Each static network of a Metal3DataTemplate must have a pool, and each MAC address in its metadata either an interface or the boot MAC.',
  source: `${WEBHOOKS}/metal3datatemplate_webhook.go`,
  kinds: [METAL3_DATA_TEMPLATE],
  example: replaced(DATA_TEXT, ', fromPoolRef: {name: nodes, apiGroup: ipam.metal3.io, kind: IPPool}', ''),
  check: (object) => [
    ...objectsAt(object, 'spec', 'metaData', 'fromHostInterfaces').flatMap(([entry, index]): Finding[] => {
      const path = ['spec', 'metaData', 'fromHostInterfaces', index, 'interface'];
      const boots = fieldAt(entry, 'fromBootMAC') === true;
      if (boots === (stringAt(entry, 'interface') === undefined)) return [];
      return [{ path, message: boots ? 'an interface is named beside fromBootMAC' : 'the interface is missing', fix: boots ? 'leave one of the two out' : 'name the interface, or set fromBootMAC' }];
    }),
    ...objectsInLists(object, ['spec', 'networkData', 'networks'], 'ipv4', 'ipv6').flatMap(({ fields, path }): Finding[] => {
      const isGiven = [['fromPoolRef', 'name'], ['ipAddressFromIPPool'], ['fromPoolAnnotation', 'object']].some((place) => stringAt(fields, ...place) !== undefined);
      return isGiven ? [] : [{
        path: [...path, 'fromPoolRef', 'name'], message: 'the network has no pool that machines get their addresses from', fix: 'name the pool, or write the network as one with DHCP',
      }];
    }),
  ],
};

/** The webhook accepts a provider ID in a template; the controller takes the machine for one that is provisioned. */
const PROVIDER_ID: ManifestRule = {
  ...templateProviderId('TC-TRAP-METAL3-PROVIDER-ID', METAL3_MACHINE_TEMPLATE, 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (GetProviderIDAndBMHID, IsProvisioned)', {
    failing: machineTemplateText('providerID: metal3://tenant-acme/host-1/acme-1\n'), corrected: machineTemplateText(),
  }),
  trap: true,
};

/** Rules of the webhooks, and of what they refuse later. */
export const METAL3_WEBHOOKS: readonly ManifestRule[] = [PROVIDER_ID, ENDPOINT, IMAGE, ...SECRET_RULES, DATA, DATA_CLAIM];

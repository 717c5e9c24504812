/**
 * Rules and facts for Hetzner's manifests. Synthesis, plans and inventories of a program that registers it know its kinds like those of the
 * library.
 */
import { zoneOf } from './regions';
import { sizeOf } from './server-types';
import {
  documents, listAt, type ManifestRule, namespaceOf, type Provider, providerYaml, replaced, stringAt, stringsAt, TEMPLATE_FIELDS as MACHINE,
  templateYaml,
} from 'cdk8s-cluster-api/manifests';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const CLUSTER = `${GROUP}/HetznerCluster`;
const MACHINE_TEMPLATE = `${GROUP}/HCloudMachineTemplate`;
const GIBIBYTE = 1024 ** 3;
const PROJECT = 'syself/cluster-api-provider-hetzner';

const CLUSTER_TEXT = providerYaml(`${GROUP}/v1beta1`, 'HetznerCluster', `controlPlaneRegions: [fsn1, nbg1]
controlPlaneLoadBalancer: {region: fsn1}
hcloudPlacementGroups: [{name: nodes}]
sshKeys: {}
hetznerSecretRef: {name: hetzner, key: {hcloudToken: hcloud}}
`);

const MACHINE_TEXT = templateYaml(`${GROUP}/v1beta1`, 'HCloudMachineTemplate', 'type: cx33\nimageName: ubuntu-24.04\nplacementGroupName: nodes\n');

const REGIONS: ManifestRule = {
  id: 'ACME-HETZNER-REGIONS',
  title: 'The regions of a control plane must be in one network zone.',
  source: `${PROJECT} api/v1beta1/hetznercluster_webhook.go (isNetworkZoneSameForAllRegions)`,
  kinds: [CLUSTER],
  example: replaced(CLUSTER_TEXT, 'nbg1', 'ash'),
  check: (object) => {
    const path = ['spec', 'controlPlaneRegions'];
    const regions = stringsAt(object, ...path);
    const zone = zoneOf(regions[0]?.[0]);
    return regions.filter(([region]) => zone !== undefined && zoneOf(region) !== zone).map(([region, index]) => ({
      path: [...path, index], message: `"${region}" is not in the network zone ${zone} of "${regions[0][0]}"`, fix: `choose regions of ${zone}`,
    }));
  },
};

const IMAGE: ManifestRule = {
  id: 'ACME-HETZNER-IMAGE',
  title: 'A machine must have either an image name or an image URL.',
  source: `${PROJECT} api/v1beta1/hcloudmachine_validation.go (validateHCloudMachineSpec)`,
  kinds: [MACHINE_TEMPLATE],
  example: replaced(MACHINE_TEXT, 'imageName: ubuntu-24.04', 'sshKeys: [{name: ops}]'),
  check: (object) => {
    const given = ['imageName', 'imageURL'].filter((field) => (stringAt(object, ...MACHINE, field) ?? '') !== '');
    return given.length === 1 ? [] : [{
      path: [...MACHINE, 'imageName'], message: given.length === 0 ? 'neither imageName nor imageURL is set' : 'imageName and imageURL are set', fix: 'name one image',
    }];
  },
};

const PLACEMENT_GROUP: ManifestRule = {
  id: 'ACME-HETZNER-PLACEMENT-GROUP',
  title: 'A placement group of machines must be one of the cluster.',
  source: `${PROJECT} pkg/services/hcloud/server/server.go (InstanceHasNonExistingPlacementGroupReason)`,
  kinds: [MACHINE_TEMPLATE],
  trap: true,
  example: replaced(documents(CLUSTER_TEXT, MACHINE_TEXT), 'placementGroupName: nodes', 'placementGroupName: workers'),
  check: (object, index) => {
    const path = [...MACHINE, 'placementGroupName'];
    const name = stringAt(object, ...path);
    const clusters = index.all(CLUSTER).filter((one) => namespaceOf(one) === namespaceOf(object));
    const groups = clusters.flatMap((one) => listAt(one, 'spec', 'hcloudPlacementGroups').map((group) => stringAt(group, 'name')));
    return name === undefined || clusters.length === 0 || groups.includes(name) ? [] : [{
      path, message: `no cluster of the namespace has the placement group "${name}"`, fix: `add it to the cluster, or choose one of: ${groups.join(', ') || 'none'}`,
    }];
  },
};

/** Cluster API's provider for Hetzner Cloud. */
export const HETZNER: Provider = {
  name: 'hetzner',
  title: 'Hetzner Cloud',
  kinds: [
    { kind: CLUSTER, role: 'cluster' },
    { kind: MACHINE_TEMPLATE, role: 'machineTemplate' },
  ],
  rules: [REGIONS, IMAGE, PLACEMENT_GROUP],
  templateWords: { [MACHINE_TEMPLATE]: { 'template.spec.type': 'server type', 'template.spec.imageName': 'image' } },
  machineSizes: {
    [MACHINE_TEMPLATE]: (object) => {
      const instanceType = stringAt(object, ...MACHINE, 'type');
      const size = instanceType === undefined ? undefined : sizeOf(instanceType);
      return { instanceType, ...(size && { cpu: size.cpu, memory: size.memory * GIBIBYTE, gpus: [] }) };
    },
  },
  images: {
    [MACHINE_TEMPLATE]: { unknown: (object) => [`images in the snapshot ${stringAt(object, ...MACHINE, 'imageName') ?? '-'}, which servers start from`] },
  },
};

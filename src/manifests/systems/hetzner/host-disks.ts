import { fieldAt, Finding, isFields, ManifestIndex, ManifestObject, ManifestRule, nameOf, namespaceOf, numberAt, replaced, specPath, stringAt, stringsAt } from '../../rules/contract';

const HOST = 'infrastructure.cluster.x-k8s.io/HetznerBareMetalHost';
const TEMPLATE = 'infrastructure.cluster.x-k8s.io/HetznerBareMetalMachineTemplate';
const TYPES = 'syself/cluster-api-provider-hetzner api/v1beta1/hetznerbaremetalhost_types.go (RootDeviceHints.IsValidWithMessage)';
const CHOICE = 'syself/cluster-api-provider-hetzner pkg/services/baremetal/baremetal/baremetal.go (skipHost)';

function hostYaml(hints: string): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HetznerBareMetalHost
metadata: {name: acme-1, namespace: tenant-acme}
spec:
  serverID: 1234567
  rootDeviceHints: ${hints}
`;
}

/** The disks that a host names: one, or those of a RAID. */
function disksOf(host: ManifestObject): { readonly single?: string; readonly raid: readonly string[] } {
  const hints = fieldAt(host, 'spec', 'rootDeviceHints');
  const single = stringAt(hints, 'wwn');
  return { ...(single ? { single } : {}), raid: stringsAt(hints, 'raid', 'wwn').map(([wwn]) => wwn) };
}

const MISSING: ManifestRule = {
  id: 'TC-TRAP-HETZNER-HOST-NO-DISK',
  title: 'A bare metal host should say which disk, or which disks of a RAID, a machine is installed on: its machine waits before it is installed otherwise.',
  source: 'syself/cluster-api-provider-hetzner pkg/services/baremetal/host/host.go (ErrorMessageMissingRootDeviceHints)',
  kinds: [HOST],
  trap: true,
  warning: true,
  example: { failing: hostYaml('{}'), corrected: hostYaml('{wwn: "0x5000c500a1b2c3d4"}') },
  check: (object) => {
    const { single, raid } = disksOf(object);
    return single !== undefined || raid.length > 0 || !isFields(fieldAt(object, 'spec')) ? [] : [{
      path: ['spec', 'rootDeviceHints'],
      message: 'no root device hints: the host is chosen, and its machine waits until they are there',
      fix: 'write rootDeviceHints.wwn, or rootDeviceHints.raid.wwn, from status.hardwareDetails.storage of the host',
    }];
  },
};

const INVALID: ManifestRule = {
  id: 'TC-TRAP-HETZNER-HOST-DISK',
  title: 'A bare metal host must name one disk, or two disks and more of a RAID, and not both: it is never chosen otherwise.',
  source: TYPES,
  kinds: [HOST],
  trap: true,
  example: replaced(hostYaml('{raid: {wwn: ["0x5000c500a1b2c3d4", "0x5000c500a1b2c3d5"]}}'), ', "0x5000c500a1b2c3d5"', ''),
  check: (object): Finding[] => {
    const { single, raid } = disksOf(object);
    if (single !== undefined && raid.length > 0) {
      return [{ path: ['spec', 'rootDeviceHints'], message: 'it names one disk and disks of a RAID', fix: 'keep either wwn or raid.wwn' }];
    }
    return raid.length === 1 ? [{ path: ['spec', 'rootDeviceHints', 'raid', 'wwn'], message: 'a RAID has one disk only', fix: 'name a second disk, or write wwn' }] : [];
  },
};

function templateYaml(raid: number): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HetznerBareMetalMachineTemplate
metadata: {name: acme, namespace: tenant-acme}
spec:
  template:
    spec:
      installImage:
        image: {path: /root/.oldroot/nfs/images/Ubuntu-2404-noble-amd64-base.tar.gz}
        partitions: [{fileSystem: ext4, mount: /, size: all}]
        swraid: ${raid}
      sshSpec:
        secretRef: {name: acme-ssh, key: {name: name, publicKey: public, privateKey: private}}
`;
}

const RAID: ManifestRule = {
  id: 'TC-TRAP-HETZNER-RAID',
  title: 'The hosts of machines with a RAID should name the disks of a RAID, those of other machines one disk: no host is chosen otherwise.',
  source: CHOICE,
  kinds: [TEMPLATE],
  trap: true,
  warning: true,
  elsewhere: true,
  example: {
    failing: `${templateYaml(1)}---\n${hostYaml('{wwn: "0x5000c500a1b2c3d4"}')}`,
    corrected: `${templateYaml(0)}---\n${hostYaml('{wwn: "0x5000c500a1b2c3d4"}')}`,
  },
  check: (object, index: ManifestIndex): Finding[] => {
    const path = [...specPath(object), 'installImage', 'swraid'];
    const isRaid = numberAt(object, ...path.map(String)) === 1;
    const hosts = index.allIn(HOST, namespaceOf(object));
    // A host without disks is chosen, too.
    const fits = hosts.some((host) => {
      const { single, raid } = disksOf(host);
      return (single === undefined && raid.length === 0) || (isRaid ? raid.length > 1 : single !== undefined);
    });
    return hosts.length === 0 || fits ? [] : [{
      path,
      message: `no host in the namespace, such as ${JSON.stringify(nameOf(hosts[0]))}, names ${isRaid ? 'the disks of a RAID' : 'one disk'}, and none is chosen`,
      fix: isRaid ? 'write rootDeviceHints.raid.wwn at the hosts, or swraid: 0' : 'write rootDeviceHints.wwn at the hosts, or swraid: 1',
    }];
  },
};

/** Rules over disks of hosts. */
export const HOST_DISKS: readonly ManifestRule[] = [MISSING, INVALID, RAID];

import { fieldAt, Finding, ManifestObject, ManifestRule, nameOf, replaced, stringAt } from '../../rules/contract';

const HOST = 'metal3.io/BareMetalHost';

const TEXT = `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: rack1-node1, namespace: tenant-acme}
spec:
  online: true
  bootMACAddress: "52:54:00:00:00:01"
  bmc: {address: "libvirt://192.0.2.1:6230", credentialsName: rack1-node1-bmc}
`;

/** Schemes of addresses, without `+http` and `+https` behind them, in all releases since v0.5. */
const SCHEMES: readonly string[] = [
  'ipmi', 'libvirt', 'redfish', 'redfish-virtualmedia', 'redfish-uefihttp', 'ilo5-redfish', 'ilo5-virtualmedia', 'idrac-redfish', 'idrac-virtualmedia',
  'idrac', 'ilo4', 'ilo4-virtualmedia', 'ilo5', 'irmc', 'ibmc',
];

/** Schemes whose hosts need the address of an interface, in each release that knows them. */
const NEED_INTERFACE: readonly string[] = ['libvirt', 'irmc'];

/** Addresses as Go's net.ParseMAC reads them, of 6, 8 or 20 bytes. */
const BYTES = /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?$/i;
const WORDS = /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?$/i;

/** A name in capitals, or a variable, that another tool replaces. */
const PLACEHOLDER = /^[A-Z]+(?:_[A-Z0-9]+)+$|[$<>{}]/;

const ADMITTED: ManifestRule = {
  id: 'TC-ADMIT-METAL3-HOST',
  title: 'A BareMetalHost must have an address of its management controller with a scheme that is known, and the address of an interface that is one, where its scheme needs one.',
  source: 'metal3-io/baremetal-operator internal/webhooks/metal3.io/v1alpha1/baremetalhost_validation.go (validateHost, validateBMCAccess, validateRootDeviceHints, '
    + 'validatePowerStatus), pkg/hardwareutils/bmc/access.go, v0.12.0',
  kinds: [HOST],
  example: replaced(TEXT, '52:54:00:00:00:01', '52:54:00:00:01'),
  check: (object) => [...addressFindings(object), ...interfaceFindings(object), ...deviceFindings(object)],
};

/** Scheme of an address; undefined for one that has none, which is IPMI's. */
function schemeOf(object: ManifestObject): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(stringAt(object, 'spec', 'bmc', 'address') ?? '')?.[1].toLowerCase().replace(/\+https?$/, '');
}

function addressFindings(object: ManifestObject): Finding[] {
  const scheme = schemeOf(object);
  return scheme === undefined || SCHEMES.includes(scheme) ? [] : [{
    path: ['spec', 'bmc', 'address'], message: `there is no scheme ${JSON.stringify(scheme)} of management controllers`, accepted: SCHEMES.slice(0, 9).join(', '), fix: 'write one of these',
  }];
}

function interfaceFindings(object: ManifestObject): Finding[] {
  const [path, address, scheme] = [['spec', 'bootMACAddress'], stringAt(object, 'spec', 'bootMACAddress'), schemeOf(object)];
  // Without an address of the controller nothing is checked.
  if (stringAt(object, 'spec', 'bmc', 'address') === undefined) return [];
  if (address === undefined) {
    return scheme === undefined || !NEED_INTERFACE.includes(scheme) ? [] : [{ path, message: `hosts with ${scheme} are found by the address of an interface, and there is none`, fix: 'write the address of the interface that boots' }];
  }
  return BYTES.test(address) || WORDS.test(address) || PLACEHOLDER.test(address) ? [] : [{
    path, message: `${JSON.stringify(address)} is no address of an interface`, accepted: 'six bytes such as "52:54:00:00:00:01"', fix: 'correct the address',
  }];
}

function deviceFindings(object: ManifestObject): Finding[] {
  const device = stringAt(object, 'spec', 'rootDeviceHints', 'deviceName');
  return [
    ...(device === undefined || /^\/dev\/(?:disk\/by-path\/)?[^/]*$/.test(device) ? [] : [{
      path: ['spec', 'rootDeviceHints', 'deviceName'], message: `${JSON.stringify(device)} is no device in /dev or /dev/disk/by-path`, fix: 'write such a path, or another hint',
    }]),
    ...(fieldAt(object, 'spec', 'disablePowerOff') === true && fieldAt(object, 'spec', 'online') !== true ? [{
      path: ['spec', 'disablePowerOff'], message: 'the host may not be powered off, and is not to be online', fix: 'write online: true, or remove disablePowerOff',
    }] : []),
  ];
}

const SHARED: ManifestRule = {
  id: 'TC-TRAP-METAL3-HOST-INTERFACE',
  title: 'BareMetalHosts must boot from different interfaces: the second one with an address is never registered.',
  source: 'metal3-io/baremetal-operator pkg/provisioner/ironic/ironic.go (macAddressConflictError)',
  kinds: [HOST],
  trap: true,
  example: {
    failing: `${TEXT}---\n${TEXT.replace('rack1-node1,', 'rack1-node2,')}`,
    corrected: `${TEXT}---\n${TEXT.replace('rack1-node1,', 'rack1-node2,').replace('00:00:01', '00:00:02')}`,
  },
  check: (object, index) => {
    const address = stringAt(object, 'spec', 'bootMACAddress')?.toLowerCase();
    if (address === undefined) return [];
    const hosts = index.allIn(HOST, stringAt(object, 'metadata', 'namespace'));
    const first = hosts.find((host) => stringAt(host, 'spec', 'bootMACAddress')?.toLowerCase() === address);
    return first === undefined || first === object || nameOf(first) === nameOf(object) ? [] : [{
      path: ['spec', 'bootMACAddress'], message: `the host ${JSON.stringify(nameOf(first))} boots from the same interface`, fix: 'write the address of the interface of this host',
    }];
  },
};

/** Rules for hosts. */
export const BARE_METAL_HOSTS: readonly ManifestRule[] = [ADMITTED, SHARED];

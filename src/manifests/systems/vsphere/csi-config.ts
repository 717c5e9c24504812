import { cloudConfigRule, indented, ManifestRule, replaced } from '../../rules/contract';
import { secretTexts } from '../../rules/secret-texts';

const CONF = `[Global]
cluster-id = "acme"

[VirtualCenter "vcenter.example.com"]
insecure-flag = "false"
user = "csi@vsphere.local"
password = "{{ .password }}"
port = "443"
datacenters = "Main"
`;

const CONNECTION = { string: 'user password port server datacenters thumbprint ca-file secret-name secret-namespace ip-family', bool: 'insecure-flag' };

/** Variables of the CSI driver, and of the cloud controller manager, which reads the same sections in this form. */
const VARIABLES: ManifestRule = cloudConfigRule({
  id: 'TC-TRAP-VSPHERE-CLOUD-CONFIG',
  cloud: 'vSphere',
  source: 'kubernetes-sigs/vsphere-csi-driver pkg/common/config/types.go',
  text: CONF,
  variable: 'insecure-flag',
}, {
  own: ['cluster-id', 'cluster-distribution', 'insecure-flag', 'datacenters'],
  sections: {
    global: {
      string: `${CONNECTION.string} cluster-id supervisor-id cluster-distribution soap-roundtrip-count service-account secrets-directory`,
      bool: `${CONNECTION.bool} api-disable`,
      int: 'cnsregistervolumes-cleanup-intervalinmin volumemigration-cr-cleanup-intervalinmin vc-client-timeout csi-auth-check-intervalinmin '
        + 'cnsvolumeoperationrequest-cleanup-intervalinmin csi-fetch-preferred-datastores-intervalinmin query-limit list-volume-threshold',
    },
    virtualcenter: {
      string: `${CONNECTION.string} targetvsanfilesharedatastoreurls targetvsanfileshareclusters migration-datastore-url soap-roundtrip-count`, bool: CONNECTION.bool,
    },
    labels: { string: 'zone region topology-categories' },
    snapshot: { int: 'global-max-snapshots-per-block-volume granular-max-snapshots-per-block-volume-vsan granular-max-snapshots-per-block-volume-vvol' },
  },
});

const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata:
  name: vsphere-config-secret
  namespace: vmware-system-csi
stringData:
  csi-vsphere.conf: |
${indented(CONF, 4)}`;

/** Name of the file of the CSI driver. */
const FILE = 'csi-vsphere.conf';

const SECTIONS: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-CSI-CONFIG',
  title: 'The configuration of the CSI driver of vSphere must begin with a section, and have one of a vCenter: the driver reads no YAML, and ends.',
  source: 'kubernetes-sigs/vsphere-csi-driver pkg/common/config/types.go (Config); go-gcfg/gcfg read.go',
  kinds: ['/Secret', 'external-secrets.io/ExternalSecret'],
  trap: true,
  example: replaced(SECRET_TEXT, '    [Global]\n    cluster-id = "acme"\n', '    global:\n      cluster-id: acme\n'),
  check: (object) => secretTexts(object).filter(([path, text]) => path.at(-1) === FILE && text.trim() !== '').flatMap(([path, text]) => {
    const first = text.split('\n').find((line) => !/^\s*(?:[;#].*)?$/.test(line)) ?? '';
    // The whole may be filled in, or be encrypted.
    if (/\{\{|\$\{|^ENC\[/.test(first)) return [];
    if (!/^\s*\[/.test(first)) return [{ path, message: 'the text does not begin with a section such as [Global]', fix: 'write sections and variables, and no YAML' }];
    return /^[ \t]*\[[ \t]*VirtualCenter\b/im.test(text) || text.includes('{{') || /^[ \t]*\[[ \t]*GC\b/im.test(text) ? [] : [{
      path, message: 'there is no section of a vCenter', fix: 'add [VirtualCenter "name or address"] with its user and datacenters',
    }];
  }),
};

/** Rules over the configuration of vSphere's programs in a cluster. */
export const VSPHERE_CSI_CONFIG: readonly ManifestRule[] = [VARIABLES, SECTIONS];

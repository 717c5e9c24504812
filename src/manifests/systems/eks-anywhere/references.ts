import { documents, edited } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { absent } from '../../rules/references/missing-references';
import { fieldAt, FieldPath, objectsAt, stringAt } from '../../values/fields';

const GROUP = 'anywhere.eks.amazonaws.com';

const CLUSTER_TEXT = `apiVersion: ${GROUP}/v1alpha1
kind: Cluster
metadata: {name: acme, namespace: default}
spec:
  kubernetesVersion: "1.33"
  controlPlaneConfiguration: {count: 3, endpoint: {host: 192.0.2.10}, machineGroupRef: {kind: VSphereMachineConfig, name: acme-machines}}
  datacenterRef: {kind: VSphereDatacenterConfig, name: acme}
`;
const objectText = (kind: string, name: string): string => `apiVersion: ${GROUP}/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: default}\nspec: {}\n`;
const TEXT = documents(CLUSTER_TEXT, objectText('VSphereDatacenterConfig', 'acme'), objectText('VSphereMachineConfig', 'acme-machines'));

const PARTS: ManifestRule = {
  id: 'TC-TRAP-REF-EKS-ANYWHERE',
  title: 'The data center and the machines that a cluster of EKS Anywhere names should be among the manifests: its controller waits for them otherwise.',
  source: 'aws/eks-anywhere controllers/cluster_controller.go ("Dependent cluster objects don\'t exist"), pkg/api/v1alpha1/cluster_types.go, v0.26.1',
  kinds: [`${GROUP}/Cluster`],
  trap: true,
  elsewhere: true,
  example: { failing: edited(TEXT, { 'name: acme-machines}}': 'name: machines}}' }), corrected: TEXT },
  check: (object, index) => {
    const known = index.kinds().filter((kind) => kind.startsWith(`${GROUP}/`) && kind.endsWith('Config'));
    const places: FieldPath[] = [
      ['spec', 'datacenterRef'], ['spec', 'controlPlaneConfiguration', 'machineGroupRef'], ['spec', 'externalEtcdConfiguration', 'machineGroupRef'],
      ...objectsAt(object, 'spec', 'workerNodeGroupConfigurations').map(([, at]) => ['spec', 'workerNodeGroupConfigurations', at, 'machineGroupRef']),
      ...objectsAt(object, 'spec', 'identityProviderRefs').map(([, at]) => ['spec', 'identityProviderRefs', at]),
    ];
    // A Cluster by itself may be a part of a patch, or of files that are elsewhere.
    return known.length === 0 ? [] : places.flatMap((path) => {
      const reference = fieldAt(object, ...path);
      const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
      return kind === undefined || name === undefined ? [] : absent(object, index, { reference: { kind: `${GROUP}/${kind}`, name }, path: [...path, 'name'] });
    });
  },
};

/** Rules for what clusters of EKS Anywhere name. */
export const EKS_ANYWHERE_REFERENCES: readonly ManifestRule[] = [PARTS];

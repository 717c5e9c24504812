import { ManifestObject, objectName } from '../../../src/manifests/objects/manifest-object';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { Manifest } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';
import { DELIVERIES, NamedDelivery } from '../../support/deliveries';
import { parse, synthesize } from '../../support/outputs';

const VALIDATOR = new ManifestValidator();
const RULES = ['TC-TRAP-KUBEVIRT-CCM-CLUSTER-NAME', 'TC-TRAP-REF-CLUSTER-SELECTOR'];

/** Objects of two clusters in one namespace, the first of which is taken down; synthesized once for each delivery. */
function written(named: NamedDelivery): Manifest[] {
  const known = WRITTEN.get(named) ?? parse(synthesize((app) => {
    for (const [id, decommission] of [['acme', true], ['beta', false]] as const) {
      addCompleteTenant(app, id, { ...named, props: { decommission, createNamespace: !decommission, isolation: undefined } });
    }
  }).management);
  WRITTEN.set(named, known);
  return structuredClone(known);
}
const WRITTEN = new Map<NamedDelivery, Manifest[]>();

function found(objects: readonly Manifest[]): string[] {
  return VALIDATOR.validate([objects], { silences: [], strict: false }).found.map(({ finding, object }) => `${finding.rule.id} ${objectName(object as ManifestObject)}`);
}

describe.each(DELIVERIES)('$name: of two clusters in a namespace, one is taken down', (named) => {
  test('what is left of it is fine', () => {
    const objects = written(named);
    expect(objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata.name)).toEqual(['beta']);
    expect(objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'acme-cloud-controller-manager')).toHaveLength(1);
    expect(found(objects)).toEqual([]);
  });

  test.each(['acme', 'beta'])('a name that is mistyped in what belongs to %s is found', (cluster) => {
    const objects = written(named);
    const mistyped = objects.filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] === cluster).filter((object) => {
      if (object.spec?.clusterSelector) object.spec.clusterSelector.matchLabels = { 'cluster.x-k8s.io/cluster-name': 'abcd' };
      const [container] = (object.kind === 'Deployment' && object.spec.template.spec.containers) || [];
      const at = (container?.args ?? []).indexOf(`--cluster-name=${cluster}`);
      if (at >= 0) container.args[at] = '--cluster-name=abcd';
      return object.spec?.clusterSelector || at >= 0;
    });
    expect(mistyped.length).toBeGreaterThan(0);
    expect(found(objects).filter((text) => RULES.includes(text.split(' ')[0]))).toHaveLength(mistyped.length);
  });

  test('with its pools still there, it is not being taken down', () => {
    const objects = written(named);
    const [pool] = objects.filter(({ kind }) => kind === 'MachineDeployment');
    const left = { ...pool, metadata: { ...pool.metadata, name: 'acme-general' }, spec: { ...pool.spec, clusterName: 'acme' } };
    expect(found([...objects, left])).toEqual(expect.arrayContaining([expect.stringContaining(RULES[0])]));
  });
});

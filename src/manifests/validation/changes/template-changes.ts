import { kindsOfRole, knownKind } from '../../objects/known-kinds';
import { groupKind } from '../../objects/manifest-object';
import { isUpdate, NEW_TEMPLATE } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER_CLASS } from '../../rules/cluster-api/cluster-api-kinds';
import { poolYaml } from '../../rules/cluster-api/example-manifests';
import { documents, edited } from '../../rules/example-text';
import { machineOwnersOf, referrersOf } from '../../rules/references/object-references';
import { configTemplateYaml } from '../../systems/kubeadm/rules/kubeadm-spec';
import { fieldAt, sameValue } from '../../values/fields';

const TALOS_CONFIG_TEMPLATE = 'bootstrap.cluster.x-k8s.io/TalosConfigTemplate';

const POOL_TEXT = poolYaml({});
const CONFIG_TEXT = configTemplateYaml('preKubeadmCommands:\n  - sysctl -w vm.max_map_count=262144');

/** Templates, which have other content under another name only. */
export const TEMPLATE_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-TEMPLATE-IN-PLACE',
  title: 'A template in use must not change under its name: existing machines are not replaced, and only later ones get the change.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/updating-machine-templates.md and docs/book/src/developer/providers/contracts/control-plane.md (machines)',
  get kinds() { return [...kindsOfRole('machineTemplate', 'bootstrapTemplate').filter((kind) => !knownKind(kind)?.immutable), TALOS_CONFIG_TEMPLATE]; },
  kindSuffix: 'Template',
  trap: true,
  example: {
    before: documents(CONFIG_TEXT, POOL_TEXT),
    failing: documents(CONFIG_TEXT.replace('262144', '524288'), POOL_TEXT),
    corrected: documents(CONFIG_TEXT, edited(CONFIG_TEXT, { '262144': '524288', 'acme-general': 'acme-general-2' }), edited(POOL_TEXT, {
      'kind: KubeadmConfigTemplate\n          name: acme-general': 'kind: KubeadmConfigTemplate\n          name: acme-general-2',
    })),
  },
  check: (change) => {
    const { before, after, now } = change;
    // Where a webhook refuses any change, its provider has a rule of its own.
    if (!isUpdate(change) || !after || knownKind(groupKind(after))?.immutable || sameValue(fieldAt(before, 'spec'), fieldAt(after, 'spec'))) return [];
    // Clusters of a class get a template of their own for each change of it.
    const isOfClass = referrersOf(after, now, CLUSTER_CLASS).length > 0;
    return isOfClass || machineOwnersOf(after, now).length === 0 ? []
      : [{ path: ['spec'], message: 'what is in it changed, and its name did not', fix: NEW_TEMPLATE }];
  },
};

import { valuesIn } from '../../objects/manifest-text';
import { fieldAt, FieldPath, Finding, groupKind, isFields, ManifestObject, ManifestRule, objectsAt, replaced, stringAt, stringsAt } from '../../rules/contract';
import { parseSemanticVersion } from '../../values/semantic-version';

const CONFIG = 'bootstrap.cluster.x-k8s.io/TalosConfig';
const TEMPLATE = 'bootstrap.cluster.x-k8s.io/TalosConfigTemplate';
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/TalosControlPlane';

/** Kinds with configurations of machines. */
export const TALOS_KINDS: readonly string[] = [CONFIG, TEMPLATE, CONTROL_PLANE];

/** Places of configurations of machines. */
export function configsOf(object: ManifestObject): FieldPath[] {
  if (groupKind(object) === CONTROL_PLANE) return ['init', 'controlplane'].map((type) => ['spec', 'controlPlaneConfig', type]);
  return [groupKind(object) === TEMPLATE ? ['spec', 'template', 'spec'] : ['spec']];
}

/** A template of workers, up to its patches. */
export const WORKERS_TEXT = `apiVersion: bootstrap.cluster.x-k8s.io/v1alpha3
kind: TalosConfigTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      generateType: worker
      talosVersion: v1.11
`;

const TEXT = `${WORKERS_TEXT}      strategicPatches:
        - |
          machine:
            install: {disk: /dev/vda}
`;

/** Sections of the document without a kind. */
const SECTIONS: readonly string[] = ['version', 'debug', 'persist', 'machine', 'cluster'];

const SECTION: ManifestRule = {
  id: 'TC-TRAP-TALOS-PATCH-SECTION',
  title: 'A patch of a machine configuration must have a kind, or the sections of the configuration that has none: machine, cluster, debug, persist.',
  source: 'siderolabs/talos pkg/machinery/config/configloader/internal/decoder/decoder.go (decode)',
  kinds: TALOS_KINDS,
  trap: true,
  example: replaced(TEXT, '          machine:\n            install: {disk: /dev/vda}\n', '          install: {disk: /dev/vda}\n'),
  check: (object) => configsOf(object).flatMap((path) => stringsAt(fieldAt(object, ...path.map(String)), 'strategicPatches').flatMap(([text, index]) => (
    valuesIn(text).filter(isFields).filter((value) => value.kind === undefined).flatMap((value): Finding[] => {
      const strange = Object.keys(value).filter((key) => !SECTIONS.includes(key) && key !== '$patch');
      return strange.length === 0 ? [] : [{
        path: [...path, 'strategicPatches', index], message: `a patch has ${strange.join(', ')}, which no configuration without a kind has`, accepted: SECTIONS.join(', '), fix: 'move it into one of these, or write apiVersion and kind',
      }];
    })))),
};

/** The first release whose configurations have several documents. */
const MULTI_DOCUMENT_MINOR = 12;

/** Sections of a cluster that the configuration of a worker does not have (siderolabs/talos pkg/machinery/config/generate/worker.go). */
const CONTROL_PLANE_SECTIONS: readonly string[] = [
  'apiServer', 'controllerManager', 'scheduler', 'etcd', 'coreDNS', 'proxy', 'extraManifests', 'inlineManifests', 'adminKubeconfig', 'externalCloudProvider', 'serviceAccount',
];

const JSON_PATCH: ManifestRule = {
  id: 'TC-TRAP-TALOS-JSON-PATCH',
  title: 'A JSON patch of a machine configuration must change a part that is there, and there is none for configurations of Talos from v1.12 on: the machine gets no configuration otherwise.',
  source: 'siderolabs/cluster-api-bootstrap-provider-talos README.md, controllers/talosconfig_controller.go (reconcileGenerate); '
    + 'siderolabs/talos pkg/machinery/config/generate/worker.go, issues 5276, 12613',
  kinds: TALOS_KINDS,
  trap: true,
  example: {
    failing: `${WORKERS_TEXT}      configPatches: [{op: add, path: /cluster/extraManifests/-, value: "https://example.com/tools.yaml"}]\n`,
    corrected: `${WORKERS_TEXT}      configPatches: [{op: add, path: /cluster/extraManifests, value: ["https://example.com/tools.yaml"]}]\n`,
  },
  check: (object) => configsOf(object).flatMap((path) => {
    const config = fieldAt(object, ...path.map(String));
    const [type, release] = [stringAt(config, 'generateType'), parseSemanticVersion(`${stringAt(config, 'talosVersion')?.replace(/^(v?\d+\.\d+)$/, '$1.0') ?? ''}`)];
    if (type === undefined || type === 'none') return [];
    const isMulti = release !== undefined && (release.major > 1 || (release.major === 1 && release.minor >= MULTI_DOCUMENT_MINOR));
    return objectsAt(config, 'configPatches').flatMap(([patch, index]): Finding[] => {
      const place = [...path, 'configPatches', index];
      if (isMulti) return index > 0 ? [] : [{ path: place, message: 'JSON patches cannot be applied to configurations of this release, which have several documents', fix: 'write strategicPatches' }];
      const [, section, rest] = /^\/cluster\/([^/]+)(\/.*)?$/.exec(stringAt(patch, 'path') ?? '') ?? [];
      const isMissing = CONTROL_PLANE_SECTIONS.includes(section) && (rest !== undefined || patch.op !== 'add');
      return type === 'worker' && isMissing && !isMadeBefore(config, section, index) ? [{
        path: place, message: `the configuration of a worker has no /cluster/${section}`, fix: `write strategicPatches, or add /cluster/${section} as a whole`,
      }] : [];
    });
  }),
};

/** True if an earlier patch adds a section. */
function isMadeBefore(config: unknown, section: string, before: number): boolean {
  return objectsAt(config, 'configPatches').some(([patch, index]) => index < before && [`/cluster/${section}`, '/cluster'].includes(stringAt(patch, 'path') ?? ''));
}

/** Rules over patches of machine configurations. */
export const TALOS_PATCHES: readonly ManifestRule[] = [SECTION, JSON_PATCH];

import { valueOf } from './rules/kamaji-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { EncryptionFile } from '../../rules/cluster-facts';
import { fileSource, volumeSources } from '../../rules/mounted-files';
import { flagName, parseArgument } from '../../values/component-arguments';
import { isSet, objectsAt, stringsAt } from '../../values/fields';
import { parseGoBool } from '../../values/flag-values';

const CONFIGURATION = 'encryption-provider-config';
const RELOAD = 'encryption-provider-config-automatic-reload';

/**
 * The Secret that the API server of a control plane has its configuration of encryption at rest from.
 *
 * Source: clastix/kamaji internal/builders/controlplane/deployment.go (buildKubeAPIServer), 26.8.2-edge. The kubelet does not update files of a
 * `subPath`: kubernetes/kubernetes pkg/volume/secret/secret.go.
 */
export function encryptionFile(controlPlane: ManifestObject): EncryptionFile | undefined {
  const argument = (name: string) => stringsAt(valueOf(controlPlane, 'apiServer', 'extraArgs'))
    .flatMap(([text]) => parseArgument(text) ?? []).filter((one) => flagName(one) === name).at(-1)?.value;
  const file = argument(CONFIGURATION);
  if (file === undefined) return undefined;
  const mounts = objectsAt(valueOf(controlPlane, 'apiServer', 'extraVolumeMounts')).map(([mount]) => mount);
  const sources = objectsAt(valueOf(controlPlane, 'deployment', 'extraVolumes')).flatMap(([volume, at]) => volumeSources(volume, [at]));
  const found = fileSource(file, mounts, sources);
  if (found?.source.kind !== '/Secret') return undefined;
  return { secret: found.source.name, reloads: parseGoBool(argument(RELOAD) ?? 'false') === true && !isSet(found.mount, 'subPath') };
}

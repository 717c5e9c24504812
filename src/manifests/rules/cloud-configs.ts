import { ofEachObject } from './of-one-object';
import { secretTexts } from './secret-texts';
import { ManifestObject } from '../objects/manifest-object';
import { FieldPath } from '../values/fields';
import { GcfgFile, readGcfg } from '../values/gcfg';

/** The kinds of objects that have configurations of cloud providers. */
export const CLOUD_CONFIG_HOLDERS: readonly string[] = ['/ConfigMap', '/Secret', 'external-secrets.io/ExternalSecret'];

/** A configuration of a cloud provider, and the field that has its text. */
export interface CloudConfig {
  readonly path: FieldPath;
  readonly file: GcfgFile;
}

/** Names of their files, such as `cloud.conf` and `cloud-config`, and those that begin with `csi-`. */
const KEY = /cloud[-_.]?conf|^csi-[\w-]+\.conf$/i;

/** Their first line that is no comment. In YAML, no text begins with a bracket and a word on a line of their own. */
const BEGINNING = /^(?:\s*(?:[;#].*)?\n)*\s*\[\s*Global\s*\]/i;

/** The configurations of cloud providers in an object, in the form of sections and variables. */
export const cloudConfigs = ofEachObject((object: ManifestObject): readonly CloudConfig[] => (
  secretTexts(object).flatMap(([path, text]) => (KEY.test(String(path.at(-1))) && BEGINNING.test(text) ? [{ path, file: readGcfg(text) }] : []))));

import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { readText } from '../../objects/manifest-text';
import { fileContent } from '../../objects/packed-manifests';
import { FieldPath, fieldAt, isFields, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { readToml, TOML_JOINT } from '../../values/toml';
import { replaced } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { ofOneObject } from '../of-one-object';

/** A file that a machine gets when it starts. */
export interface MachineFile {
  readonly file: string;
  readonly text: string;

  /** The field with its content. */
  readonly path: FieldPath;

  /** True if the text is added to a file that is there. */
  readonly isPart: boolean;
}

/** API groups of bootstrap configurations, and of control planes, which have some in them. */
const GROUPS: readonly string[] = ['bootstrap.cluster.x-k8s.io', 'controlplane.cluster.x-k8s.io'];

/** Files in the configurations of machines of an object, of any bootstrap provider: in its specification, and in the part of it that is one. */
export const machineFiles = ofOneObject((object: ManifestObject): readonly MachineFile[] => {
  if (!GROUPS.includes(groupKind(object).split('/')[0])) return [];
  return [['spec'], ['spec', 'template', 'spec']].flatMap((start) => {
    const spec = fieldAt(object, ...start);
    const parts = Object.keys(isFields(spec) ? spec : {}).filter((field) => field.endsWith('ConfigSpec')).map((field) => [...start, field]);
    return [start, ...parts].flatMap((path) => objectsAt(object, ...path, 'files').flatMap(([file, index]) => {
      const [name, text] = [stringAt(file, 'path'), fileContent(file)];
      return name === undefined || text === undefined ? [] : [{ file: name, text, path: [...path, 'files', index, 'content'], isPart: file.append === true }];
    }));
  });
});

/** A placeholder that the machine, or the tool that applies the manifest, replaces. */
const TEMPLATE = /\{\{|\{%|\$\{|<%/;

function machineText(content: string): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  template:
    spec:
      files:
        - path: /etc/containerd/config.toml
          content: |
            version = 2
            [plugins."io.containerd.grpc.v1.cri".registry]
              config_path = "/etc/containerd/certs.d"
${content}`;
}

const SYNTAX: ManifestRule = {
  id: 'TC-TRAP-MACHINE-FILE',
  title: 'TOML, YAML and JSON in the files of a machine must be readable, without a key that stands twice: its program does not start, or reads something else.',
  source: 'toml-lang/toml toml.md (v1.0.0); YAML 1.2.2, section 3.2.1.1 (keys are unique); RFC 8259',
  kinds: [],
  kindSuffix: '',
  trap: true,
  example: replaced(machineText(''), '/etc/containerd/certs.d"', '/etc/containerd/certs.d'),
  check: (object) => machineFiles(object).filter(({ text, isPart }) => !isPart && !TEMPLATE.test(text)).flatMap(({ file, text, path }): Finding[] => {
    const fault = faultOf(file, text);
    return fault === undefined ? [] : [{ path, message: `${file}: ${fault}`, fix: 'correct the text of the file' }];
  }),
};

function faultOf(file: string, text: string): string | undefined {
  if (file.endsWith('.toml')) {
    const { fault } = readToml(text);
    return fault && `line ${fault.line} ${fault.message}`;
  }
  if (/\.ya?ml$/.test(file)) {
    const [fault] = readText(text).faults;
    return fault && `${fault.line === undefined ? '' : `line ${fault.line} `}${fault.message}`;
  }
  // Programs that read YAML do so in files of this name, too, such as kubeadm in its patches.
  if (!file.endsWith('.json') || !/^\s*[{[]/.test(text)) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'it is no JSON';
  }
}

/** The plugins of containerd with settings of registries, by the version of its file. */
const REGISTRIES = ['io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.images'].map((plugin) => ['plugins', plugin, 'registry'].join(TOML_JOINT) + TOML_JOINT);

const MIRRORS: ManifestRule = {
  id: 'TC-TRAP-MACHINE-FILE-REGISTRY',
  title: 'Settings of containerd must have either a folder for registries, config_path, or mirrors: the kubelet gets no container runtime with both.',
  source: 'containerd/containerd internal/cri/config/config.go (ValidateImageConfig)',
  kinds: [],
  kindSuffix: '',
  trap: true,
  example: {
    failing: machineText('              [plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]\n                endpoint = ["https://mirror.example.com"]\n'),
    corrected: machineText(''),
  },
  check: (object) => machineFiles(object).filter(({ file }) => file.includes('/containerd/') && file.endsWith('.toml')).flatMap(({ file, text, path }): Finding[] => {
    const { values } = readToml(text);
    const found = REGISTRIES.find((registry) => !/^(?:""|'')?$/.test(values.get(`${registry}config_path`) ?? '')
      && [...values.keys()].some((key) => key.startsWith(`${registry}mirrors${TOML_JOINT}`)));
    return found === undefined ? [] : [{
      path, message: `${file} has mirrors beside config_path, and containerd loads no plugin for the kubelet`, fix: 'write the mirrors into hosts.toml in the folder of config_path',
    }];
  }),
};

/** Rules for files of machines. */
export const MACHINE_FILES: readonly ManifestRule[] = [SYNTAX, MIRRORS];

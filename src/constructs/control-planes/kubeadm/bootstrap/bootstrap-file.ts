import { posix } from 'node:path';
import { checkBlockText, checkPlainText } from './cloud-config-text';
import {
  KubeadmConfigTemplateSpecTemplateSpecFiles as TemplateFile, KubeadmConfigTemplateSpecTemplateSpecFilesContentFormat as TemplateFormat,
  KubeadmConfigTemplateSpecTemplateSpecFilesEncoding as TemplateEncoding,
} from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { checkDnsSubdomain } from '../../../../manifests/values/dns';
import { holdsPrivateKey } from '../../../../manifests/values/pem';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { DATA_KEYS, isDataKey, SecretKeyRef } from '../../../../manifests/values/secret-ref';
import { BootstrapFile, FileContentFormat, FileEncoding } from '../../../contracts/bootstrap-file';

const ENCODINGS: Readonly<Record<FileEncoding, TemplateEncoding>> = {
  [FileEncoding.BASE64]: TemplateEncoding.BASE64,
  [FileEncoding.GZIP_BASE64]: TemplateEncoding.GZIP_BASE64,
};
const FORMATS: Readonly<Record<FileContentFormat, TemplateFormat>> = {
  [FileContentFormat.RAW]: TemplateFormat.RAW,
  [FileContentFormat.TEMPLATE]: TemplateFormat.TEMPLATE,
};

const PERMISSIONS = /^[0-7]{3,4}$/;
const OWNER = /^[a-zA-Z0-9_][-a-zA-Z0-9_.]*(:[a-zA-Z0-9_][-a-zA-Z0-9_.]*)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The file as `KubeadmConfigTemplate` has it. */
export function templateFile(file: BootstrapFile): TemplateFile {
  return {
    path: file.path,
    ...(file.content !== undefined && { content: file.content }),
    ...(file.secret && { contentFrom: { secret: { name: file.secret.name, key: file.secret.key } } }),
    ...(file.owner !== undefined && { owner: file.owner }),
    permissions: file.permissions ?? (file.secret ? '0600' : '0644'),
    ...(file.encoding !== undefined && { encoding: ENCODINGS[file.encoding] }),
    ...(file.append !== undefined && { append: file.append }),
    ...(file.contentFormat !== undefined && { contentFormat: FORMATS[file.contentFormat] }),
  };
}

/** Checks a file that the user gave, apart from its path being its own. */
export function checkFile(file: BootstrapFile, property: string): Problem[] {
  return [
    ...checkPath(file.path, `${property}.path`),
    ...checkSource(file, property),
    ...(file.content ? checkContent(file, file.content, `${property}.content`) : []),
    ...(file.secret ? checkSecretRef(file.secret, `${property}.secret`) : []),
    ...checkAccess(file, property),
  ];
}

const FILE_PATH_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-PATH',
  title: 'The path of a file is absolute and in its shortest form.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml',
};

/** Paths on Linux, which cloud-init runs on: a KubeadmConfig in general may be for Windows. */
function checkPath(path: string, property: string): Problem[] {
  const normal = posix.normalize(path).replace(/(.)\/$/, '$1');
  const message = !path.startsWith('/') ? `${JSON.stringify(path)} is not an absolute path`
    : (path !== normal || path === '/' ? `${JSON.stringify(path)} is not the path of a file in its shortest form` : checkPlainText(path));
  if (message === undefined) return [];
  return [{
    rule: FILE_PATH_RULE,
    property,
    message,
    accepted: 'absolute paths without "//", "." and ".."',
    fix: path.startsWith('/') && path !== normal && normal !== '/' ? `write "${normal}"` : 'write a path such as "/etc/example/example.conf"',
  }];
}

const FILE_SOURCE_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-SOURCE',
  title: 'A file must have a source of its content.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go',
};

/** A KubeadmConfig may have empty files; a page that names no source has forgotten it. */
function checkSource(file: BootstrapFile, property: string): Problem[] {
  const hasSource = file.content !== undefined || file.secret !== undefined;
  return problemIf(FILE_SOURCE_RULE, property, hasSource ? undefined : `${JSON.stringify(file.path)} has neither content nor secret`, 'give it one of them');
}

const FILE_PRIVATE_KEY_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-PRIVATE-KEY',
  title: 'The output must not contain private keys.',
};

function checkContent(file: BootstrapFile, content: string, property: string): Problem[] {
  if (holdsPrivateKey(content)) {
    return [{
      rule: FILE_PRIVATE_KEY_RULE,
      property,
      message: `the content of ${JSON.stringify(file.path)} holds a private key, and it would be readable in the output`,
      fix: 'put the content into a Secret and refer to it with secret',
    }];
  }
  return file.encoding === undefined ? checkText(content, property) : checkEncoded(file.encoding, content, property);
}

const FILE_TEXT_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-TEXT',
  title: 'The content of a file survives as an indented block of YAML.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/files.go',
};

function checkText(content: string, property: string): Problem[] {
  return problemIf(FILE_TEXT_RULE, property, checkBlockText(content), 'give the content in base64 with encoding FileEncoding.BASE64');
}

const FILE_ENCODING_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-ENCODING',
  title: 'Encoded content must match its encoding.',
  source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
};

function checkEncoded(encoding: FileEncoding, content: string, property: string): Problem[] {
  const text = content.replace(/\n/g, '');
  const bytes = Buffer.from(text, 'base64');
  const message = !BASE64.test(text) ? 'the content is not base64'
    : (encoding === FileEncoding.GZIP_BASE64 && !bytes.subarray(0, 2).equals(GZIP_MAGIC) ? 'the content is base64, but not of gzip' : undefined);
  if (message === undefined) return [];
  const fix = `${encoding === FileEncoding.BASE64 ? 'encode' : 'compress and encode'} the content, or correct encoding`;
  return [{ rule: FILE_ENCODING_RULE, property, message, fix }];
}

const FILE_OWNER_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-OWNER',
  title: 'The owner of a file is a user, or a user and a group.',
  source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
};

const FILE_PERMISSIONS_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-PERMISSIONS',
  title: 'The permissions of a file are octal digits.',
  source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
};

function checkAccess(file: BootstrapFile, property: string): Problem[] {
  const problems: Problem[] = [];
  if (file.permissions !== undefined && !PERMISSIONS.test(file.permissions)) {
    problems.push({
      rule: FILE_PERMISSIONS_RULE,
      property: `${property}.permissions`,
      message: `${JSON.stringify(file.permissions)} are not permissions`,
      accepted: 'three or four octal digits such as "0644"',
      fix: 'write them as chmod takes them',
    });
  }
  if (file.owner !== undefined && !OWNER.test(file.owner)) {
    problems.push({
      rule: FILE_OWNER_RULE,
      property: `${property}.owner`,
      message: `${JSON.stringify(file.owner)} is not an owner`,
      accepted: '"user" or "user:group"',
      fix: 'write a user of the image, such as "root:root"',
    });
  }
  return problems;
}

const SECRET_REF_RULE: Rule = {
  id: 'TC-KUBEADM-SECRET-REF',
  title: 'A reference to a Secret has the name of a Secret and one of its keys.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go',
};

/** Checks a reference to a Secret in the namespace of the cluster. */
export function checkSecretRef(ref: SecretKeyRef, property: string): Problem[] {
  const rule = SECRET_REF_RULE;
  const problems: Problem[] = [];
  const name = checkDnsSubdomain(ref.name);
  if (name !== undefined) {
    problems.push({ rule, property: `${property}.name`, message: name, fix: 'write the name of a Secret in the namespace of the cluster' });
  }
  if (!isDataKey(ref.key)) {
    problems.push({
      rule,
      property: `${property}.key`,
      message: `${JSON.stringify(ref.key)} is not a key of a Secret`,
      accepted: DATA_KEYS,
      fix: 'write the key as it stands in the data of the Secret',
    });
  }
  return problems;
}

/** Files and commands that one feature adds to a machine. */
export interface FeatureSetup {
  /** Files that it writes. */
  readonly files: readonly BootstrapFile[];

  /** Commands that put the files into effect, run before kubeadm. */
  readonly commands: readonly string[];
}

/** A file together with the property that asked for it. */
export interface OwnedFile {
  /** The file. */
  readonly file: BootstrapFile;

  /** The property, as the user wrote it. */
  readonly property: string;
}

/** A path with another writer. */
export type ReservedPath = readonly [path: string, writer: string];

/** Folder of the scripts of the library. */
export const SCRIPTS_DIRECTORY = '/usr/local/sbin';

// kubernetes/kubernetes cmd/kubeadm/app/preflight/checks.go, kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/node.go.
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['/etc/kubernetes/bootstrap-kubelet.conf', 'kubeadm, which does not join where the file is there already'],
  ['/etc/kubernetes/kubelet.conf', 'kubeadm, which does not join where the file is there already'],
  ['/etc/kubernetes/pki/ca.crt', 'kubeadm, which does not join where the file is there already'],
  ['/run/cluster-api/bootstrap-success.complete', 'Cluster API'],
  ['/run/cluster-api/placeholder', 'Cluster API'],
  ['/run/kubeadm/kubeadm-join-config.yaml', 'Cluster API'],
  ['/var/lib/kubelet/config.yaml', 'kubeadm'],
  ['/var/lib/kubelet/kubeadm-flags.env', 'kubeadm'],
]);

/**
 * A script of the library and the command that runs it.
 *
 * cloud-init runs all commands as one script that does not stop at errors, so the command ends it: a machine that is not set up
 * as declared must not become a node, for a rollout would go on and replace the good ones.
 *
 * @param name file name of the script
 * @param content the script, without anything that a user wrote
 */
export function setupScript(name: string, content: string): FeatureSetup {
  const path = `${SCRIPTS_DIRECTORY}/cdk8s-cluster-api-${name}`;
  return { files: [{ path, content, owner: 'root:root', permissions: '0755' }], commands: [`${path} || exit 1`] };
}

const FILE_PATH_TAKEN_RULE: Rule = {
  id: 'TC-KUBEADM-FILE-PATH-TAKEN',
  title: 'A file must not be one that kubeadm or Cluster API writes.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go',
};

/**
 * Checks that neither kubeadm nor Cluster API writes a file of the user.
 *
 * @param files the user's files
 * @param property the property that holds them
 * @param reserved paths that they write beside those that they write on every machine
 */
export function checkPathsTaken(files: readonly BootstrapFile[], property: string, reserved: readonly ReservedPath[]): Problem[] {
  const writers = new Map<string, string>([...RESERVED, ...reserved]);
  return files.flatMap(({ path }, index) => {
    const writer = writers.get(path);
    return problemIf(
      FILE_PATH_TAKEN_RULE, `${property}[${index}].path`, writer === undefined ? undefined : `${JSON.stringify(path)} is already written by ${writer}`, 'choose another path',
    );
  });
}

// k8s.io/api core/v1 MaxSecretSize.
const MAX_BYTES = 1024 * 1024;
const INDENTATION = 6;

const DATA_SIZE_RULE: Rule = {
  id: 'TC-KUBEADM-DATA-SIZE',
  title: 'The bootstrap data of a machine fits into a Secret, which holds 1 MiB.',
  source: 'kubernetes.io/docs/concepts/configuration/secret',
};

/** Checks that what is known of a machine's cloud-config fits into the Secret that Cluster API keeps it in. */
export function checkDataSize(files: readonly BootstrapFile[], commands: readonly string[], property: string): Problem[] {
  const contents = files.map(({ content = '' }) => Buffer.byteLength(content) + INDENTATION * content.split('\n').length);
  const total = [...contents, ...commands.map((command) => Buffer.byteLength(command))].reduce((sum, bytes) => sum + bytes, 0);
  if (total <= MAX_BYTES) return [];
  return [{
    rule: DATA_SIZE_RULE,
    property,
    message: `files and commands are ${total} bytes together`,
    accepted: `at most ${MAX_BYTES} bytes, content from Secrets included`,
    fix: 'put large files into the image of the machine, or let a command download them',
  }];
}

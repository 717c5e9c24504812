import { posix } from 'node:path';
import { checkSecretRef } from './bootstrap-secret-ref';
import { checkBlockText, checkPlainText } from './cloud-config-text';
import { KUBEADM_RULES } from './rules';
import {
  KubeadmConfigTemplateSpecTemplateSpecFiles as TemplateFile,
  KubeadmConfigTemplateSpecTemplateSpecFilesContentFormat as TemplateFormat,
  KubeadmConfigTemplateSpecTemplateSpecFilesEncoding as TemplateEncoding,
} from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { holdsPrivateKey } from '../../../../manifests/values/pem';
import { Problem, problemIf } from '../../../../manifests/values/problem';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';

/** How the content of a file is encoded; cloud-init decodes it. */
export enum FileEncoding {
  /** Base64: for content that is not plain text, or that must not be read as a Jinja template. */
  BASE64 = 'base64',

  /** Compressed with gzip, then base64. */
  GZIP_BASE64 = 'gzip+base64',
}

/** What Cluster API does with the content of a file before cloud-init sees it. */
export enum FileContentFormat {
  /** Nothing. */
  RAW = 'Raw',

  /** Renders it as a Go template, with `.controlPlane.version`. Needs Cluster API 1.14. */
  TEMPLATE = 'Template',
}

/** A file that is on the machine before anything is installed or started. */
export interface BootstrapFile {
  /**
   * Where the file is written: an absolute path of at most 512 characters that no other file has, those of this library included, and that
   * neither Cluster API nor kubeadm writes.
   *
   * Files are written before disks are set up and mounted: one below a mount point disappears under the mount.
   *
   * Rules: `TC-KUBEADM-FILE-PATH`, `TC-ADMIT-KUBEADM-FILE-PATH`, `TC-KUBEADM-FILE-PATH-TAKEN`.
   */
  readonly path: string;

  /**
   * Content of the file, 1 to 10240 characters; cloud-init gives it one line break at the end. It ends up in the output in plain view:
   * what must stay secret comes from `secret`, and a private key is refused.
   *
   * cloud-init renders it as a Jinja template, so that `{{ ds.meta_data.instance_id }}` works and `${#list[@]}` does not; text that is
   * indented from its first line on, or has control characters, is refused too, and so is what the infrastructure's provider would stumble
   * over. `encoding: FileEncoding.BASE64` takes anything.
   *
   * Rules: `TC-ADMIT-FIELD-VALUE`, `TC-KUBEADM-FILE-PRIVATE-KEY`, `TC-KUBEADM-JINJA`, `TC-KUBEADM-FILE-TEXT`, `TC-KUBEADM-FORBIDDEN-TEXT`.
   *
   * @default - the content comes from `secret`; one of the two is given (`TC-KUBEADM-FILE-SOURCE`), and not both (`TC-ADMIT-KUBEADM-FILE-SOURCE`)
   */
  readonly content?: string;

  /**
   * Where the content comes from: a key of a Secret in the cluster's namespace. The same rules of Jinja and YAML hold for it, and they are
   * not checked beforehand.
   *
   * Rule: `TC-KUBEADM-SECRET-REF`.
   *
   * @default - the content comes from `content`; one of the two is given (`TC-KUBEADM-FILE-SOURCE`), and not both (`TC-ADMIT-KUBEADM-FILE-SOURCE`)
   */
  readonly secret?: SecretKeyRef;

  /**
   * User that the file belongs to, or user and group, e.g. `root:root`. It must be in the image: files are written before the users of
   * `users` exist.
   *
   * Rule: `TC-KUBEADM-FILE-OWNER`.
   *
   * @default - root:root (canonical/cloud-init, module write_files)
   */
  readonly owner?: string;

  /**
   * Permissions as octal digits, e.g. `0644` (`TC-KUBEADM-FILE-PERMISSIONS`).
   *
   * @default - 0644, 0600 with content from a Secret
   */
  readonly permissions?: string;

  /**
   * How the content is encoded; cloud-init decodes it before it writes the file (`TC-KUBEADM-FILE-ENCODING`).
   *
   * @default - not encoded
   */
  readonly encoding?: FileEncoding;

  /**
   * True if the content is added to the end of the file.
   *
   * @default false
   */
  readonly append?: boolean;

  /**
   * What Cluster API does with the content.
   *
   * @default FileContentFormat.RAW
   */
  readonly contentFormat?: FileContentFormat;
}

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

/** Paths on Linux, which cloud-init runs on: a KubeadmConfig in general may be for Windows. */
function checkPath(path: string, property: string): Problem[] {
  const normal = posix.normalize(path).replace(/(.)\/$/, '$1');
  const message = !path.startsWith('/') ? `${JSON.stringify(path)} is not an absolute path`
    : (path !== normal || path === '/' ? `${JSON.stringify(path)} is not the path of a file in its shortest form` : checkPlainText(path));
  if (message === undefined) return [];
  return [{
    rule: KUBEADM_RULES.filePath,
    property,
    message,
    accepted: 'absolute paths without "//", "." and ".."',
    fix: path.startsWith('/') && path !== normal && normal !== '/' ? `write "${normal}"` : 'write a path such as "/etc/example/example.conf"',
  }];
}

/** A KubeadmConfig may have empty files; a page that names no source has forgotten it. */
function checkSource(file: BootstrapFile, property: string): Problem[] {
  const hasSource = file.content !== undefined || file.secret !== undefined;
  return problemIf(KUBEADM_RULES.fileSource, property, hasSource ? undefined : `${JSON.stringify(file.path)} has neither content nor secret`, 'give it one of them');
}

function checkContent(file: BootstrapFile, content: string, property: string): Problem[] {
  if (holdsPrivateKey(content)) {
    return [{
      rule: KUBEADM_RULES.filePrivateKey,
      property,
      message: `the content of ${JSON.stringify(file.path)} holds a private key, and it would be readable in the output`,
      fix: 'put the content into a Secret and refer to it with secret',
    }];
  }
  return file.encoding === undefined ? checkText(content, property) : checkEncoded(file.encoding, content, property);
}

function checkText(content: string, property: string): Problem[] {
  return problemIf(KUBEADM_RULES.fileText, property, checkBlockText(content), 'give the content in base64 with encoding FileEncoding.BASE64');
}

function checkEncoded(encoding: FileEncoding, content: string, property: string): Problem[] {
  const text = content.replace(/\n/g, '');
  const bytes = Buffer.from(text, 'base64');
  const message = !BASE64.test(text) ? 'the content is not base64'
    : (encoding === FileEncoding.GZIP_BASE64 && !bytes.subarray(0, 2).equals(GZIP_MAGIC) ? 'the content is base64, but not of gzip' : undefined);
  if (message === undefined) return [];
  const fix = `${encoding === FileEncoding.BASE64 ? 'encode' : 'compress and encode'} the content, or correct encoding`;
  return [{ rule: KUBEADM_RULES.fileEncoding, property, message, fix }];
}

function checkAccess(file: BootstrapFile, property: string): Problem[] {
  const problems: Problem[] = [];
  if (file.permissions !== undefined && !PERMISSIONS.test(file.permissions)) {
    problems.push({
      rule: KUBEADM_RULES.filePermissions,
      property: `${property}.permissions`,
      message: `${JSON.stringify(file.permissions)} are not permissions`,
      accepted: 'three or four octal digits such as "0644"',
      fix: 'write them as chmod takes them',
    });
  }
  if (file.owner !== undefined && !OWNER.test(file.owner)) {
    problems.push({
      rule: KUBEADM_RULES.fileOwner,
      property: `${property}.owner`,
      message: `${JSON.stringify(file.owner)} is not an owner`,
      accepted: '"user" or "user:group"',
      fix: 'write a user of the image, such as "root:root"',
    });
  }
  return problems;
}

import { SecretKeyRef } from '../../manifests/values/secret-ref';

/** Encoding of the content of a file; cloud-init decodes it. */
export enum FileEncoding {
  /** Base64: for content that is not plain text, or that must not be read as a Jinja template. */
  BASE64 = 'base64',

  /** Compressed with gzip, then base64. */
  GZIP_BASE64 = 'gzip+base64',
}

/** Processing of the content of a file by Cluster API, before cloud-init sees it. */
export enum FileContentFormat {
  /** Nothing. */
  RAW = 'Raw',

  /** Renders it as a Go template, with `.controlPlane.version`. Needs Cluster API 1.14. */
  TEMPLATE = 'Template',
}

/** A file that is on the machine before anything is installed or started. */
export interface BootstrapFile {
  /**
   * Path of the file: absolute, of at most 512 characters that no other file has, those of this library included, and that
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
   * Source of the content: a key of a Secret in the cluster's namespace. The same rules of Jinja and YAML hold for it, and they are
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
   * Encoding of the content; cloud-init decodes it before it writes the file (`TC-KUBEADM-FILE-ENCODING`).
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
   * Processing of the content by Cluster API.
   *
   * @default FileContentFormat.RAW
   */
  readonly contentFormat?: FileContentFormat;
}

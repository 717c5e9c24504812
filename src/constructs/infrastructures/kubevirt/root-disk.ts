import { Size } from 'cdk8s';
import { ImagePullPolicy } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import {
  checkObjectName, clonedDisk, ClonedDiskOptions, customDisk, CustomDiskOptions, DataVolumeOptions, dataVolumeSource, DiskOptions,
  DiskSource, snapshotDisk, SnapshotDiskOptions,
} from './disk';
import { checkPinned, parseImageReference } from '../../../manifests/values/image-reference';
import { joinName } from '../../../manifests/values/object-name';
import { pemFiles } from '../../../manifests/values/pem';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';
import { PrivateRegistry } from '../../contracts/company-network/company-network';

const DOCKER_SCHEME = 'docker://';

/** A disk that lives in a container image and in the virtual machine's pod. */
export interface ContainerDiskOptions extends DiskOptions {
  /**
   * Container image with the disk's image in `/disk`, with a digest or a tag other than `latest`. A name or tag that looks like another
   * Kubernetes release than the pool's gives a warning.
   *
   * Rules: `TC-KUBEVIRT-IMAGE`, `TC-KUBEVIRT-IMAGE-UNPINNED`, `TC-TRAP-KUBEVIRT-IMAGE-VERSION`.
   */
  readonly image: string;

  /**
   * Name of the Secret, in the virtual machines' namespace, that pulls the image.
   *
   * @default - that of the image's registry in the cluster's `companyNetwork`, else none
   */
  readonly imagePullSecret?: string;

  /**
   * When a host pulls the image.
   *
   * @default - Kubernetes decides: `IfNotPresent` for a tag or a digest
   */
  readonly imagePullPolicy?: ImagePullPolicy;
}

/** Puller of a disk image from a registry. */
export enum RegistryPullMethod {
  /** The importer's pod, with `secretRef` and `certConfigMap`. */
  POD = 'pod',

  /** The host's container runtime, with its cache and its credentials. */
  NODE = 'node',
}

/** A disk that is filled from a container registry. */
export interface RegistryDiskOptions extends DataVolumeOptions {
  /**
   * Container image with the disk's image in `/disk`: `docker://registry/repository` with a tag other than `latest` or a digest,
   * not both (`TC-KUBEVIRT-REGISTRY-URL`, `TC-KUBEVIRT-IMAGE`, `TC-KUBEVIRT-IMAGE-UNPINNED`, `TC-TRAP-KUBEVIRT-IMAGE-VERSION`).
   */
  readonly url: string;

  /**
   * Size of the disk, at least that of the image: a whole number of MiB, from 10 GiB.
   *
   * Rules: `TC-KUBEVIRT-DISK-SIZE`, `TC-KUBEVIRT-UNUSUAL-SIZE`.
   */
  readonly size: Size;

  /**
   * Puller of the image.
   *
   * @default - the importer's pod
   */
  readonly pullMethod?: RegistryPullMethod;

  /**
   * Name of the Secret, in the virtual machines' namespace, with the keys `accessKeyId` and `secretKey`
   * (`TC-COMPANY-NETWORK-IMPORT-SECRET`).
   *
   * @default - `importSecret` of the registry in the cluster's `companyNetwork`, else none
   */
  readonly secretRef?: string;

  /**
   * Name of the ConfigMap, in the virtual machines' namespace, with the certificate authority of the registry.
   *
   * @default - that with `trustedCas` of the cluster's `companyNetwork`, else authorities that the importer knows
   */
  readonly certConfigMap?: string;
}

/** A disk that is filled from a web server. */
export interface HttpDiskOptions extends DataVolumeOptions {
  /** Absolute `http` or `https` URL of a raw or qcow2 image, compressed or not (`TC-KUBEVIRT-HTTP-URL`). */
  readonly url: string;

  /**
   * Size of the disk, at least that of the image: a whole number of MiB, from 10 GiB.
   *
   * Rules: `TC-KUBEVIRT-DISK-SIZE`, `TC-KUBEVIRT-UNUSUAL-SIZE`.
   */
  readonly size: Size;

  /**
   * Name of the Secret, in the virtual machines' namespace, with the keys `accessKeyId` and `secretKey` for basic authentication.
   *
   * @default - the server needs none
   */
  readonly secretRef?: string;

  /**
   * Name of the ConfigMap, in the virtual machines' namespace, with the certificate authority of the server.
   *
   * @default - that with `trustedCas` of the cluster's `companyNetwork`, else authorities that the importer knows
   */
  readonly certConfigMap?: string;
}

/**
 * Disk that a machine boots from. The image must read its bootstrap data from an OpenStack config drive
 * (kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go).
 *
 * @example
 * const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' });
 */
export class RootDisk {
  /**
   * A disk from a container image, without storage behind it: quick to start, and lost whenever the virtual machine stops.
   *
   * A node that stops cannot come back, because its identity is lost with the disk; such machines therefore run `RunStrategy.ONCE`, and a
   * health check has to replace them. What the guest writes counts as ephemeral storage of the virtual machine's pod.
   *
   * Source: kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md.
   *
   * @param options the image
   */
  public static containerDisk(options: ContainerDiskOptions): RootDisk {
    return new RootDisk({
      options,
      persistent: false,
      volume: (_disk, { companyNetwork }) => ({
        containerDisk: {
          image: options.image,
          imagePullSecret: options.imagePullSecret ?? companyNetwork?.registryOf(options.image)?.pullSecret,
          imagePullPolicy: options.imagePullPolicy,
        },
      }),
      check: (report) => {
        checkImage(report.at('image'), options.image);
        checkObjectName(report.at('imagePullSecret'), options.imagePullSecret);
      },
    });
  }

  /**
   * A volume that is filled from a container image.
   *
   * @param options the image and the volume
   */
  public static registry(options: RegistryDiskOptions): RootDisk {
    const { url, size, pullMethod, secretRef, certConfigMap } = options;
    return new RootDisk(dataVolumeSource(options, {
      size,
      source: (cluster) => ({
        registry: {
          url,
          pullMethod,
          // A host pulls with its own credentials and authorities.
          ...(pullMethod === RegistryPullMethod.NODE ? { secretRef, certConfigMap } : {
            secretRef: secretRef ?? privateRegistry(url, cluster)?.importSecret,
            certConfigMap: certConfigMap ?? trustedCasOf(cluster),
          }),
        },
      }),
      check: (report, cluster) => {
        checkRegistryUrl(report.at('url'), url);
        if (secretRef === undefined && pullMethod !== RegistryPullMethod.NODE) checkImportSecret(report.at('secretRef'), url, cluster);
        checkObjectName(report.at('secretRef'), secretRef);
        checkObjectName(report.at('certConfigMap'), certConfigMap);
      },
    }));
  }

  /**
   * A volume that is filled from a web server. Give every image a URL of its own: machines made later download again.
   *
   * @param options the image and the volume
   */
  public static http(options: HttpDiskOptions): RootDisk {
    const { url, size, secretRef, certConfigMap } = options;
    return new RootDisk(dataVolumeSource(options, {
      size,
      source: (cluster) => ({ http: { url, secretRef, certConfigMap: certConfigMap ?? trustedCasOf(cluster) } }),
      check: (report) => {
        checkHttpUrl(report.at('url'), url);
        checkObjectName(report.at('secretRef'), secretRef);
        checkObjectName(report.at('certConfigMap'), certConfigMap);
      },
    }));
  }

  /**
   * A volume that is a copy of a claim: the quickest persistent disk where the storage clones by itself.
   *
   * @param options the claim and the volume
   */
  public static clonePvc(options: ClonedDiskOptions): RootDisk {
    return new RootDisk(clonedDisk(options));
  }

  /**
   * A volume that is made from a snapshot.
   *
   * @param options the snapshot and the volume
   */
  public static snapshot(options: SnapshotDiskOptions): RootDisk {
    return new RootDisk(snapshotDisk(options));
  }

  /**
   * A volume in the importer's own terms, for sources such as S3 and DataSource objects.
   *
   * @param options the DataVolume
   */
  public static of(options: CustomDiskOptions): RootDisk {
    return new RootDisk(customDisk(options));
  }

  /** @internal */
  public readonly _source: DiskSource;

  private constructor(source: DiskSource) {
    this._source = source;
  }
}

function privateRegistry(url: string, { companyNetwork }: ClusterContext): PrivateRegistry | undefined {
  return companyNetwork?.registryOf(url.replace(DOCKER_SCHEME, ''));
}

const COMPANY_NETWORK_IMPORT_SECRET_RULE: Rule = {
  id: 'TC-COMPANY-NETWORK-IMPORT-SECRET',
  title: 'A disk that CDI imports from a private registry requires a Secret of its own: CDI does not read image pull secrets.',
  source: 'kubevirt/containerized-data-importer doc/datavolumes.md, pkg/importer/registry-datasource.go',
};

/** The importer's pod logs in with a Secret of its own form, and fails without it for as long as the machine is not there. */
function checkImportSecret(report: PropertyReport, url: string, cluster: ClusterContext): void {
  const registry = privateRegistry(url, cluster);
  if (!registry || registry.importSecret !== undefined) return;
  report.add(COMPANY_NETWORK_IMPORT_SECRET_RULE, {
    message: `${registry.registry} requires a login, and CDI does not read the pull secret "${registry.pullSecret}" of companyNetwork`,
    accepted: 'the name of a Secret with the keys accessKeyId and secretKey',
    fix: 'name it in importSecret of the registry or in secretRef of the disk, or set pullMethod: RegistryPullMethod.NODE',
  });
}

const REGISTRY_URL_RULE: Rule = {
  id: 'TC-KUBEVIRT-REGISTRY-URL',
  title: 'A disk image in a registry must have a docker:// URL with either a tag or a digest.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go, containers/image docker/docker_transport.go',
};

function checkRegistryUrl(report: PropertyReport, url: string): void {
  if (!url.startsWith(DOCKER_SCHEME)) {
    report.add(REGISTRY_URL_RULE, {
      message: `"${url}" does not start with ${DOCKER_SCHEME}`,
      fix: `write ${DOCKER_SCHEME} and the name of the image`,
    });
    return;
  }
  const image = url.slice(DOCKER_SCHEME.length);
  checkImage(report, image);
  const { tag, digest } = parseImageReference(image) ?? {};
  if (tag !== undefined && digest !== undefined) {
    report.add(REGISTRY_URL_RULE, {
      message: `"${url}" has both a tag and a digest, which the importer refuses`,
      fix: `leave out ":${tag}"`,
    });
  }
}

const HTTP_URL_RULE: Rule = {
  id: 'TC-KUBEVIRT-HTTP-URL',
  title: 'A disk image that is downloaded must have an absolute http or https URL.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go',
};

function checkHttpUrl(report: PropertyReport, url: string): void {
  if (!URL.canParse(url) || !/^https?:\/\/[^/\s]\S*$/i.test(url)) {
    report.add(HTTP_URL_RULE, {
      message: `"${url}" is not an absolute http or https URL`,
      fix: 'write a URL such as "https://images.example.com/ubuntu-24.04.qcow2"',
    });
  }
}

const IMAGE_RULE: Rule = {
  id: 'TC-KUBEVIRT-IMAGE',
  title: 'Image names must be valid references of a container registry.',
  source: 'distribution/reference regexp.go',
};

const IMAGE_UNPINNED_RULE: Rule = {
  id: 'TC-KUBEVIRT-IMAGE-UNPINNED',
  title: 'A disk image should have a digest or a tag other than latest, so that all machines of one template are alike.',
};

/** Checks that a name stands for one image: machines of one template must not differ. */
function checkImage(report: PropertyReport, text: string): void {
  const image = parseImageReference(text);
  if (!image) {
    report.add(IMAGE_RULE, {
      message: `"${text}" is not the name of an image`,
      accepted: '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits in place of the tag or behind it',
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
      _image: text,
    });
    return;
  }
  const unpinned = checkPinned(text, image);
  if (unpinned) {
    const message = `${unpinned.message}, so a machine made tomorrow may differ from its neighbours`;
    report.add(IMAGE_UNPINNED_RULE, { message, fix: unpinned.fix, _image: text });
  }
}

/**
 * Name of the ConfigMap with the certificate authorities of the company's network, for imports of disks; undefined if there is none. It is in
 * the management cluster: machines in another cluster need one there.
 */
function trustedCasOf({ name, companyNetwork, infrastructure }: ClusterContext): string | undefined {
  const imported = companyNetwork && companyNetwork.trustedCas.length > 0 && (infrastructure.inManagementCluster ?? true);
  return imported ? joinName(name, 'trusted-cas') : undefined;
}

/**
 * Adds that ConfigMap. The importer reads every key, and one for a registry only keys that end with `.crt`
 * (kubevirt/containerized-data-importer pkg/importer/http-datasource.go, transport.go).
 */
export function addTrustedCas(scope: Construct, context: ClusterContext): void {
  const name = trustedCasOf(context);
  if (name === undefined) return;
  new TypedApiObject(scope, 'TrustedCas', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name }, data: pemFiles(context.companyNetwork!.trustedCas) });
}

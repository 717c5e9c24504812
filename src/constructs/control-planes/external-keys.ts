import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { goDuration } from '../../manifests/values/go-duration';
import { TypedApiObject } from '../app/synth/typed-api-object';

/** Kinds of stores of the External Secrets Operator. */
export enum SecretStoreKind {
  /** A store for all namespaces. */
  CLUSTER_SECRET_STORE = 'ClusterSecretStore',

  /** A store in the namespace of the cluster. */
  SECRET_STORE = 'SecretStore',
}

/** A value in a store. */
interface StoredValue {
  /** Name in the template. */
  readonly secretKey: string;

  /** Entry of the store. */
  readonly remoteKey: string;

  /** Field of the entry. Default: the whole entry. */
  readonly property?: string;
}

/** A Secret that the External Secrets Operator makes. */
interface ExternalSecretOptions {
  readonly secretName: string;
  readonly secretStore: string;
  readonly secretStoreKind?: SecretStoreKind;
  readonly refreshInterval?: Duration;
  readonly annotations?: { readonly [key: string]: string };
  readonly values: readonly StoredValue[];

  /** Content of the Secret. */
  readonly template: { readonly data: { readonly [key: string]: string }; readonly type?: string; readonly metadata?: object };
}

/** Adds an ExternalSecret whose Secret stays when it goes: no API server starts without it. */
export function addExternalSecret(scope: Construct, id: string, options: ExternalSecretOptions): ApiObject {
  const { secretName, secretStore, secretStoreKind = SecretStoreKind.CLUSTER_SECRET_STORE, refreshInterval = Duration.hours(1) } = options;
  return new TypedApiObject(scope, id, { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret' }, {
    metadata: { name: secretName, annotations: { ...noSubstitution(), ...options.annotations } },
    spec: {
      data: options.values.map(({ secretKey, remoteKey, property }) => ({
        secretKey,
        remoteRef: {
          conversionStrategy: 'Default', decodingStrategy: 'None', key: remoteKey, metadataPolicy: 'None', ...(property !== undefined && { property }),
        },
      })),
      refreshInterval: goDuration(refreshInterval),
      secretStoreRef: { kind: secretStoreKind, name: secretStore },
      target: {
        creationPolicy: 'Orphan',
        deletionPolicy: 'Retain',
        name: secretName,
        template: { ...options.template, engineVersion: 'v2', mergePolicy: 'Replace' },
      },
    },
  });
}

import { ApiServerFile, checkFileSource, fileDirectory, secretFile } from './volumes';
import { Problem } from '../../../manifests/values/problem';

/**
 * Encryption of the objects in the data store.
 *
 * The keys stay where they are: only the reference to them is written.
 */
export interface ControlPlaneEncryption {
  /** Name of the Secret in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`). */
  readonly secretName: string;

  /** Key of the Secret that holds an `EncryptionConfiguration` (apiserver.config.k8s.io/v1) (`TC-KAMAJI-FILE-SOURCE`). */
  readonly key: string;
}

const VOLUME = 'encryption-config';

/** Puts the encryption configuration beside the API server, which reads it anew when the Secret changes. */
export function encryptionFile(encryption: ControlPlaneEncryption): ApiServerFile {
  return {
    volume: secretFile(VOLUME, encryption.secretName, encryption.key),
    mountPath: fileDirectory(VOLUME),
    args: [
      { name: 'encryption-provider-config', value: `${fileDirectory(VOLUME)}/${encryption.key}` },
      { name: 'encryption-provider-config-automatic-reload', value: 'true' },
    ],
  };
}

/** Checks the reference to the keys. */
export function checkEncryption(encryption: ControlPlaneEncryption): Problem[] {
  return checkFileSource('controlPlane.encryption', encryption.secretName, encryption.key, 'secretName');
}

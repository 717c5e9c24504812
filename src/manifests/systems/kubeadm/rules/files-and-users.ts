import { configTemplateYaml } from './example-kubeadm';
import { below, BOOTSTRAP_WEBHOOK, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { indented } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { isFilled, objectsAt, stringAt } from '../../../values/fields';

const SOURCE: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-FILE-SOURCE',
  title: 'A file must have one source of its content: content or contentFrom.',
  source: `${BOOTSTRAP_WEBHOOK} (validateFiles)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n    contentFrom:\n      secret:\n        name: motd\n        key: text'),
    corrected: configTemplateYaml('files:\n  - path: /etc/motd\n    contentFrom:\n      secret:\n        name: motd\n        key: text'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'files').filter(([file]) => stringAt(file, 'content') !== undefined && isFilled(file, 'contentFrom')).map(([, index]) => ({
      path: below(spec, 'files', index), message: 'the file has both a content and a Secret (contentFrom) that it comes from', fix: 'keep one of them',
    }));
  },
};

const PATH: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-FILE-PATH',
  title: 'The paths of a machine\'s files must be unique.',
  source: `${BOOTSTRAP_WEBHOOK} (validateFiles)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n  - path: /etc/motd\n    content: general'),
    corrected: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n  - path: /etc/issue\n    content: general'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const known = new Set<string>();
    return objectsAt(spec.value, 'files').flatMap(([file, index]) => {
      const path = stringAt(file, 'path');
      if (path === undefined || !known.has(path)) {
        if (path !== undefined) known.add(path);
        return [];
      }
      return [{ path: below(spec, 'files', index, 'path'), message: `${JSON.stringify(path)} is already the path of another file`, fix: 'join the two, or give one another path' }];
    });
  },
};

const PASSWORD: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-USER-PASSWORD',
  title: 'A user must have one source of its password: passwd or passwdFrom.',
  source: `${BOOTSTRAP_WEBHOOK} (validateUsers)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('users:\n  - name: ops\n    passwd: "*"\n    passwdFrom:\n      secret:\n        name: ops\n        key: hash'),
    corrected: configTemplateYaml('users:\n  - name: ops\n    passwdFrom:\n      secret:\n        name: ops\n        key: hash'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'users').filter(([user]) => stringAt(user, 'passwd') !== undefined && isFilled(user, 'passwdFrom')).map(([, index]) => ({
      path: below(spec, 'users', index), message: 'the user has both passwd and passwdFrom', fix: 'keep passwdFrom: every reader of the manifest can read the hash in passwd',
    }));
  },
};

const DISCOVERY: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISCOVERY-USER',
  title: 'A kubeconfig for discovery must authenticate with either authProvider or exec.',
  source: BOOTSTRAP_WEBHOOK,
  kinds: KUBEADM_KINDS,
  example: { failing: discovering('authProvider:\n  name: oidc\nexec:\n  command: get-token'), corrected: discovering('exec:\n  command: get-token') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const path = ['joinConfiguration', 'discovery', 'file', 'kubeConfig', 'user'];
    return ['authProvider', 'exec'].every((field) => isFilled(spec.value, ...path, field)) ? [{
      path: below(spec, ...path), message: 'it has both authProvider and exec', fix: 'keep one of them',
    }] : [];
  },
};

const BOOTSTRAP_TOKEN = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

const TOKEN: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-TOKEN',
  title: 'A bootstrap token must be an id of 6 characters, a dot and a secret of 16.',
  source: 'kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta2/kubeadm_types.go (BootstrapTokenString)',
  kinds: KUBEADM_KINDS,
  example: { failing: withToken('acme.1'), corrected: withToken('abcdef.0123456789abcdef') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'initConfiguration', 'bootstrapTokens').filter(([{ token }]) => typeof token === 'string' && !BOOTSTRAP_TOKEN.test(token)).map(([, index]) => ({
      path: below(spec, 'initConfiguration', 'bootstrapTokens', index, 'token'),
      message: 'it is not a bootstrap token',
      accepted: '6 lower-case letters and digits, a dot, and 16 of them',
      fix: 'leave it out, so that kubeadm makes one, or write the output of "kubeadm token generate"',
    }));
  },
};

export const FILES_AND_USERS: readonly ManifestRule[] = [SOURCE, PATH, PASSWORD, DISCOVERY, TOKEN];

function withToken(token: string): string {
  return configTemplateYaml(`initConfiguration:\n  bootstrapTokens:\n    - token: ${token}`);
}

function discovering(user: string): string {
  return configTemplateYaml(`joinConfiguration:\n  discovery:\n    file:\n      kubeConfigPath: /etc/kubernetes/discovery.conf\n      kubeConfig:\n        user:\n${indented(user, 10)}`);
}

import { objectText } from './examples';
import { CLOUD_CONFIG_HOLDERS, cloudConfigs } from '../rules/cloud-configs';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { Finding } from '../values/finding';

const EXAMPLE = objectText('v1', 'Secret', `stringData:
  cloud.conf: |
    [Global]
    auth-url=https://identity.example.com/v3
    application-credential-id=0123
    application-credential-secret="{{ .secret }}"
    region=RegionOne
`);

const FORM: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-CLOUD-CONFIG',
  title: 'The configuration of a cloud provider must be sections and variables that it can read, with values in quotes that have a backslash, "#" or ";": it ends, or gets a part of the value, otherwise.',
  source: 'go-gcfg/gcfg read.go, scanner/scanner.go',
  kinds: CLOUD_CONFIG_HOLDERS,
  trap: true,
  example: replaced(EXAMPLE, 'region=RegionOne', 'region: RegionOne'),
  check: (object) => cloudConfigs(object).flatMap(({ path, file }): Finding[] => [
    ...file.fault ? [{ path, message: `line ${file.fault.line} ${file.fault.message}: the cloud provider ends`, fix: file.fault.fix }] : [],
    ...file.variables.filter(({ isCut }) => isCut).map(({ name, line }) => ({
      path, message: `line ${line} has the variable ${name} whose value is cut at "#" or ";", where a comment begins`, fix: 'put the value into quotes',
    })),
  ]),
};

/** Rules over configurations of cloud providers. */
export const CLOUD_CONFIGS: readonly ManifestRule[] = [FORM];

import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isSet } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseGoDuration } from '../../values/go-duration';

/** A certificate that cert-manager asks an authority for. */
export const CERTIFICATE = 'cert-manager.io/Certificate';

const TEXT = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: web
  namespace: shop
spec:
  secretName: web-tls
  duration: 2160h
  renewBefore: 720h
  dnsNames: [web.example.com]
  issuerRef: {name: letsencrypt, kind: ClusterIssuer}
`;

const MINUTE = 60_000_000_000n;
const HOUR = 60n * MINUTE;

/** Source: pkg/apis/certmanager/v1/const.go. */
const DEFAULT_DURATION = 90n * 24n * HOUR;
const SHORTEST_RENEWAL = 5n * MINUTE;

const renewal: ManifestRule = {
  id: 'TC-ADMIT-CERT-MANAGER-RENEWAL',
  title: 'A certificate must last for an hour or longer, and be renewed 5 minutes or more before its end, and after its beginning. Without a duration it lasts for 2160h.',
  source: 'cert-manager/cert-manager internal/apis/certmanager/validation/certificate.go (ValidateDuration), v1.21.1',
  kinds: [CERTIFICATE],
  example: replaced(TEXT, 'renewBefore: 720h', 'renewBefore: 2160h'),
  check: (object) => {
    const [duration = DEFAULT_DURATION, before] = ['duration', 'renewBefore'].map((field) => durationAt(fieldAt(object, 'spec', field)));
    const fault = (field: string, message: string, accepted: string): Finding => ({ path: ['spec', field], message, accepted, fix: 'write another duration' });
    const isTwice = isSet(object, 'spec', 'renewBefore') && isSet(object, 'spec', 'renewBeforePercentage');
    return [
      ...duration < HOUR ? [fault('duration', 'it is too short', 'at least 1h')] : [],
      ...isTwice ? [fault('renewBeforePercentage', 'renewBefore is written, too', 'one of them')] : [],
      ...before !== undefined && before < SHORTEST_RENEWAL ? [fault('renewBefore', 'it is too short', 'at least 5m')] : [],
      ...before !== undefined && before >= duration
        ? [fault('renewBefore', `the certificate lasts for ${isSet(object, 'spec', 'duration') ? String(fieldAt(object, 'spec', 'duration')) : '2160h, the default'}`, 'less than that')] : [],
    ];
  },
};

function durationAt(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseGoDuration(value) : undefined;
}

/** Rules over the times of certificates. */
export const DURATIONS: readonly ManifestRule[] = [renewal];

import { RegistryError } from './registry-error';

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
// What OpenSSL says when the other side does not speak TLS.
const NO_TLS = /ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|EPROTO/;

/** Says why a request got no answer. */
export function networkFault(error: unknown, url: URL, seconds: number, env: NodeJS.ProcessEnv): RegistryError {
  const { host } = url;
  if ((error as Error).name === 'TimeoutError') {
    return new RegistryError(`${host} did not answer within ${seconds} seconds`, `try again, or give it more time with --timeout${proxyAdvice(env)}`);
  }
  const code = faultCode(error);
  if (NO_TLS.test(code) && url.protocol === 'https:') {
    return new RegistryError(`${host} does not speak TLS`, `if it is a registry with plain http, say so: --insecure-registry ${host}`);
  }
  if (CERTIFICATE.test(code)) {
    return new RegistryError(`the certificate of ${host} is not trusted (${code})`,
      'set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new RegistryError(`there is no address for ${url.hostname} (${code})`, `check the name and the network${proxyAdvice(env)}`);
  }
  return new RegistryError(`${host} cannot be reached (${code})`, `check the network and that the registry runs${proxyAdvice(env)}`);
}

/** The code of what lies at the bottom of an error; fetch itself only says that it failed. */
function faultCode(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return cause === undefined ? message : faultCode(cause);
}

/** Whether another try would end the same: the server was reached, and its TLS is not usable. */
export function isFinal(error: unknown): boolean {
  const code = faultCode(error);
  return CERTIFICATE.test(code) || NO_TLS.test(code);
}

/** Node takes no proxy from the environment unless it is told to, and before 22.21 cannot (nodejs.org/docs/latest/api/cli.html). */
function proxyAdvice(env: NodeJS.ProcessEnv): string {
  const wanted = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => env[name]);
  if (wanted === undefined || env.NODE_USE_ENV_PROXY === '1') return '';
  return `; Node takes the proxy of ${wanted} only with NODE_USE_ENV_PROXY=1, since Node 22.21 and 24.0`;
}

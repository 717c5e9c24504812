import { createHash } from 'node:crypto';
import * as http from 'node:http';
import { AddressInfo } from 'node:net';

/** Handler of a test in place of the registry; true if it answered. */
export type Answer = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => boolean | void;

/** A request that came in. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization?: string;
  readonly accept?: string;
  readonly body: string;
}

/** An index over platforms, as a registry keeps it. */
export function indexManifest(name: string): string {
  return JSON.stringify({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [{}], annotations: { name } });
}

export function digestOfText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A registry on loopback that has the images it is given, and answers otherwise where a test says so. */
export class RegistryServer {
  /** Starts one. Close it when the test is over. */
  public static async start(manifests: { readonly [repositoryAndTag: string]: string } = {}): Promise<RegistryServer> {
    const registry = new RegistryServer(new Map(Object.entries(manifests)));
    await new Promise<void>((resolve) => registry.server.listen(0, '127.0.0.1', resolve));
    registry.host = `127.0.0.1:${(registry.server.address() as AddressInfo).port}`;
    return registry;
  }

  public readonly seen: SeenRequest[] = [];
  public host = '';
  private readonly server: http.Server;

  private constructor(public readonly manifests: Map<string, string>) {
    this.server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.handle(request, response, Buffer.concat(chunks).toString()));
    });
  }

  public answer: Answer = () => false;

  public close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private handle(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    const { method = '', url = '', headers } = request;
    this.seen.push({ method, url, authorization: headers.authorization, accept: headers.accept, body });
    if (this.answer(request, response, body)) return;
    this.serve(request, response);
  }

  /** Answers as a registry without access control does. */
  public serve({ method, url = '' }: http.IncomingMessage, response: http.ServerResponse): void {
    const [, repository, tag] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(url) ?? [];
    const manifest = this.manifests.get(`${repository}:${tag}`);
    if (manifest === undefined) {
      const text = JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] });
      response.writeHead(404, { 'content-type': 'application/json' }).end(method === 'HEAD' ? undefined : text);
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/vnd.oci.image.index.v1+json',
      'docker-content-digest': digestOfText(manifest),
      'content-length': Buffer.byteLength(manifest),
    }).end(method === 'HEAD' ? undefined : manifest);
  }
}

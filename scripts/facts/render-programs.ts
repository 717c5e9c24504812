import { ReferenceProgram } from './reference';

/** The text of the list of programs that tests compare containers with: one program of one version a line. */
export function renderPrograms(programs: readonly ReferenceProgram[]): string {
  // Kubernetes' own are run by Kamaji and kubeadm, and no container names them.
  const lines = programs.filter(({ image }) => image !== undefined && !image.startsWith('registry.k8s.io/kube-')).map((program) => JSON.stringify(line(program)));
  return `[\n${lines.map((text) => `  ${text}`).join(',\n')}\n]\n`;
}

/** Requirements on a container of the image. Those that do not apply are left out. */
function line({ program, version, image, user, entrypoint, required = [], normalize, flags }: ReferenceProgram): object {
  const [name] = image!.split(' ');
  const subcommand = /args must start with (\S+)/.exec(entrypoint ?? '')?.[1];
  const { repository, tag } = /^(?<repository>.+):(?<tag>[^:/]+)$/.exec(name)!.groups!;
  return {
    program,
    version,
    image: withRegistry(repository),
    // A program without releases has no version to be told by.
    ...(tag !== 'latest' && { tag }),
    flags: flags.map((flag) => flag.name).sort().join(' '),
    ...(normalize !== undefined && { underscores: true }),
    ...list('required', required.flatMap((text) => /^--([a-z-]+(?:=\S+)?)(?! on the controller)(?:\s|$)/.exec(text)?.[1] ?? [])),
    ...list('requiredOfController', required.flatMap((text) => /^--([a-z-]+) on the controller/.exec(text)?.[1] ?? [])),
    ...list('requiredEnv', required.flatMap((text) => (text.startsWith('env ') ? text.match(/\b[A-Z][A-Z_]+\b/g) ?? [] : []))),
    ...(entrypoint?.startsWith('none') && { command: true }),
    ...(entrypoint?.includes('do not set workingDir') && { ownDirectory: true }),
    ...(subcommand !== undefined && { subcommand }),
    // A kubelet cannot tell that a user is not root unless the image gives a number other than 0.
    ...(user !== undefined && (/^0\b/.test(user) || /by name/.test(user)) && { user: true }),
  };
}

function list(name: string, entries: readonly string[]): object {
  return entries.length > 0 ? { [name]: entries } : {};
}

/** `docker.io/` is how an image without a registry is understood. */
function withRegistry(repository: string): string {
  return repository.split('/')[0].includes('.') ? repository : `docker.io/${repository}`;
}

import { everyOutput, findings, isOwn } from './placed-objects';
import { containersIn } from './pods';
import { Program, programFaults, programsOf } from './programs';

const outputs = everyOutput();

/** Images whose programs are no subject of flags. */
/** Images of which no flags are known: those that run scripts, and etcd's, of which `etcdctl` is used. */
const WITHOUT_FLAGS = [/\/library\/busybox:/, /^quay\.io\/coreos\/etcd:/, /^registry\.example\.com\//];

test('every program gets flags that it has, what it needs, and is started as its image wants', () => {
  expect(findings(outputs, ({ object }) => programFaults(object))).toEqual([]);
});

test('the flags of every program are known', () => {
  const objects = outputs.flatMap(([, placed]) => placed.filter(isOwn).map(({ object }) => object));
  const images = objects.flatMap((object) => containersIn(object).map(({ container }) => container.image as string));
  const unknown = images.filter((image) => !programsOf(image).known);
  expect(unknown.filter((image) => !WITHOUT_FLAGS.some((pattern) => pattern.test(image)))).toEqual([]);
  expect(images.some((image) => programsOf(image).candidates.length > 0)).toBe(true);
});

describe('says what is wrong', () => {
  const PROGRAM: Program = { program: 'runner', version: 'v1.0.0', image: 'registry.example.com/runner', tag: 'v1.0.0', flags: 'v kubeconfig leader-elect' };

  function faults(program: Partial<Program>, container: object, kind = 'Deployment', pod: object = {}): string[] {
    const object = { kind, spec: { ...pod, containers: [{ name: 'a', image: 'registry.example.com/runner:v1.0.0', ...container }] } };
    return programFaults(object, [{ ...PROGRAM, ...program }]).map((fault) => fault.replace('spec.containers[a]: ', ''));
  }

  test.each<[string, Partial<Program>, object, string[]]>([
    ['nothing', {}, { args: ['--v=4', '-v=2', '--leader-elect'] }, []],
    ['a flag that is not there', {}, { args: ['--kubeconfigs=a'] }, ['runner v1.0.0 has no flag --kubeconfigs=a']],
    ['a flag in the command', {}, { command: ['/runner', '--nonsense'] }, ['runner v1.0.0 has no flag --nonsense']],
    ['a word that is no flag', {}, { args: ['serve'] }, ['runner v1.0.0 has no flag serve']],
    ['another spelling', { underscores: true }, { args: ['--leader_elect'] }, []],
    ['another spelling, where it does not count', {}, { args: ['--leader_elect'] }, ['runner v1.0.0 has no flag --leader_elect']],
    ['a flag that is needed', { required: ['kubeconfig', 'leader-elect=false'] }, { args: ['--kubeconfig=a', '--leader-elect=true'] }, ['runner needs --leader-elect=false']],
    ['a variable that is needed', { requiredEnv: ['TOKEN', 'NAME'] }, { env: [{ name: 'NAME' }] }, ['runner needs the variable TOKEN']],
    ['a command that is needed', { command: true }, {}, ['the image of runner starts nothing by itself: it needs a command']],
    ['a directory', { ownDirectory: true }, { workingDir: '/' }, ['runner starts in the image\'s own directory only']],
    ['a subcommand', { subcommand: 'manager' }, { args: ['manager', '--v=1'] }, []],
    ['a subcommand that is missing', { subcommand: 'manager' }, { args: ['--v=1'] }, ['the first argument of runner must be manager']],
    ['root', { user: true }, { securityContext: { runAsNonRoot: true } }, ['the image of runner names no user other than root by number: runAsUser is needed']],
    ['a user', { user: true }, { securityContext: { runAsNonRoot: true, runAsUser: 65532 } }, []],
    ['another version', { tag: 'v2.0.0' }, {}, ['nobody has read the flags of registry.example.com/runner:v1.0.0']],
    ['a program without releases', { tag: undefined }, { image: `registry.example.com/runner@sha256:${'0'.repeat(64)}`, args: ['--v=1'] }, []],
    ['a mirror', {}, { image: 'mirror.example.com:5000/elsewhere/runner:v1.0.0', args: ['--nonsense'] }, ['runner v1.0.0 has no flag --nonsense']],
    ['another image', {}, { image: 'registry.example.com/other:1', args: ['--anything'] }, []],
  ])('%s', (_what, program, container, expected) => {
    expect(faults(program, container)).toEqual(expected);
  });

  test('what only a controller needs', () => {
    expect(faults({ requiredOfController: ['kubeconfig'] }, {})).toEqual(['runner needs --kubeconfig']);
    expect(faults({ requiredOfController: ['kubeconfig'] }, {}, 'DaemonSet')).toEqual([]);
  });
});

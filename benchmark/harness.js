/**
 * Measures programs: each case in fresh processes, which tell the time of each run, what of it the file system took, and the most memory
 * that they had.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');

const MEBIBYTE = 1024 * 1024;

/** The stream that a child answers on: what it measures may print. */
const CHANNEL = 3;

/**
 * In a child: runs something and tells the parent how long it took.
 *
 * @param {(prepared: unknown) => unknown} work what is measured
 * @param {{ warmups: number, runs: number, prepare?: () => unknown, facts?: () => object }} how runs that do not count, and those that do;
 *   what is made before each run; what there is to tell about the last one
 */
async function measure(work, { warmups, runs, prepare = () => undefined, facts = () => ({}) }) {
  const disk = watchDisk();
  const samples = [];
  for (let run = -warmups; run < runs; run++) {
    const prepared = await prepare();
    const [before, start, cpu] = [disk.milliseconds, process.hrtime.bigint(), process.cpuUsage()];
    await work(prepared);
    const { user, system } = process.cpuUsage(cpu);
    const sample = { wall: Number(process.hrtime.bigint() - start) / 1e6, cpu: (user + system) / 1e3, disk: disk.milliseconds - before };
    if (run >= 0) samples.push(sample);
  }
  answer(samples, facts());
}

/** In a child: tells what the whole process took up to now, from the start of Node.js. */
function measureProcess(facts = {}) {
  const { user, system } = process.cpuUsage();
  answer([{ wall: process.uptime() * 1e3, cpu: (user + system) / 1e3, disk: 0 }], facts);
}

function answer(samples, facts) {
  // The unit of maxRSS is KiB.
  fs.writeSync(CHANNEL, JSON.stringify({ samples, facts, peak: process.resourceUsage().maxRSS * 1024 }));
}

/** Takes the time of calls of `node:fs`, which everybody gets from the same object. */
function watchDisk() {
  const watch = { milliseconds: 0 };
  for (const [name, call] of Object.entries(fs)) {
    if (!name.endsWith('Sync') || typeof call !== 'function') continue;
    fs[name] = Object.assign(function (...args) {
      const start = process.hrtime.bigint();
      try {
        return call.apply(this, args);
      } finally {
        watch.milliseconds += Number(process.hrtime.bigint() - start) / 1e6;
      }
    }, call);
  }
  return watch;
}

/**
 * In the parent: runs cases one after the other, prints a table, and writes JSON if somebody wants it.
 *
 * @param {string} title what is measured
 * @param {object} facts what the numbers hang on, e.g. how many objects there were
 * @param {{ name: string, script: string, args: string[], processes: number, seconds?: number, series?: string, prepare?: () => void }[]} cases a
 *   script that calls `measure`, for each case; the time after which a process is ended, and what it shares with larger cases, which are left out
 *   then; what is done before
 * @param {string | undefined} file where JSON goes to
 */
function runCases(title, facts, cases, file) {
  const environment = {
    node: process.version, platform: `${os.platform()} ${os.arch()}`, processor: os.cpus()[0]?.model, processors: os.availableParallelism(), ...facts,
  };
  console.log(`${title}: ${Object.entries(environment).map(([key, value]) => `${key} ${value}`).join(', ')}\n`);
  console.log(row('part', ['median', 'fastest', 'CPU', 'disk', 'memory'], ['runs']));
  const unfinished = new Set();
  const results = cases.map((given) => {
    const { name, series, seconds } = given;
    const result = series !== undefined && unfinished.has(series) ? { name, unfinishedAfter: seconds } : resultOf(given);
    if (result.unfinishedAfter !== undefined) unfinished.add(series);
    console.log(lineOf(result));
    return result;
  });
  console.log();
  if (file !== undefined) fs.writeFileSync(file, `${JSON.stringify({ title, environment, results }, undefined, 2)}\n`);
  return { title, environment, results };
}

function resultOf({ name, script, args, processes, seconds, prepare }) {
  prepare?.();
  const answers = [];
  for (let number = 0; number < processes; number++) {
    const found = sample(script, args, seconds);
    if (found === undefined) return { name, unfinishedAfter: seconds };
    answers.push(found);
  }
  const samples = answers.flatMap(({ samples: some }) => some);
  const sorted = (key) => samples.map((one) => one[key]).sort((one, other) => one - other);
  return {
    name,
    runs: samples.length,
    median: median(sorted('wall')),
    fastest: sorted('wall')[0],
    cpu: median(sorted('cpu')),
    disk: median(sorted('disk')),
    peak: Math.max(...answers.map(({ peak }) => peak)),
    ...answers.at(-1).facts,
  };
}

function lineOf({ name, unfinishedAfter, runs, median: middle, fastest, cpu, disk, peak, ...facts }) {
  if (unfinishedAfter !== undefined) return row(name, [`not done in ${unfinishedAfter} s`]);
  const more = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
  return row(name, [text(middle, 'ms'), text(fastest, 'ms'), text(cpu, 'ms'), text(disk, 'ms'), text(peak / MEBIBYTE, 'MiB')], [runs, ...more]);
}

function sample(script, args, seconds) {
  const { status, error, stderr, output } = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'], timeout: seconds && seconds * 1000, killSignal: 'SIGKILL',
  });
  if (error?.code === 'ETIMEDOUT') return undefined;
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(String(output[CHANNEL]));
}

function median(sorted) {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function row(name, numbers, more = []) {
  return [name.padEnd(48), ...numbers.map((number) => number.padStart(10)), ` ${more.join('  ')}`].join(' ').trimEnd();
}

function text(value, unit) {
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

module.exports = { measure, measureProcess, runCases };

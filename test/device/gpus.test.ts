import { beforeEach, expect, test } from 'vitest';

import { cudaVersion, listGpus } from '../../src/device/gpus.ts';
import type { Gpu } from '../../src/device/gpus.ts';
import { FakeNvidiaSmi } from './fake-nvidia-smi.ts';

const H200 =
  '0, NVIDIA H200, GPU-11111111-2222-3333-4444-555555555555, 00000000:03:00.0, 580.159.04, 9.0, 143771, 1, 31, ' +
  '345, 3201, 1980, 3201, 76.52, 700.00, 0, Enabled, Enabled, 0x0000000000000001\n';
/** What a laptop's card leaves out. */
const LAPTOP =
  '1, NVIDIA GeForce RTX 3050 Laptop GPU, GPU-aaaaaaaa-2222-3333-4444-555555555555, 00000000:01:00.0, 580.159.04, ' +
  '8.6, 4096, 12, 45, 210, 405, 2100, 6001, [N/A], [N/A], [Not Supported], Disabled, [N/A], 0x0000000000000024\n';

let smi: FakeNvidiaSmi;
beforeEach(async () => {
  smi = await FakeNvidiaSmi.make();
});

async function found(): Promise<readonly Gpu[]> {
  const list = await listGpus({ env: smi.env });
  if (list.status !== 'found') throw new Error(`${list.status}: ${list.message}`);
  return list.gpus;
}

test('a card is listed with what nvidia-smi tells about it', async () => {
  await smi.answer('query-gpu', H200);
  await smi.answer(
    'header',
    '| NVIDIA-SMI 580.159.04   Driver Version: 580.159.04   CUDA Version: 13.0  |\n',
  );
  expect(await found()).toEqual([
    {
      info: {
        kind: 'cuda',
        index: 0,
        uuid: 'GPU-11111111-2222-3333-4444-555555555555',
        name: 'NVIDIA H200',
        pci_bus_id: '00000000:03:00.0',
        driver: '580.159.04',
        cuda_driver: '13.0',
        compute_capability: '9.0',
        memory_bytes: 143771 * 1024 * 1024,
        sm_clock_max_mhz: 1980,
        memory_clock_max_mhz: 3201,
      },
      state: {
        temperature_c: 31,
        sm_clock_mhz: 345,
        memory_clock_mhz: 3201,
        power_w: 76.52,
        power_limit_w: 700,
        utilization_pct: 0,
        memory_used_bytes: 1024 * 1024,
        throttle_mask: 1,
        foreign_pids: [],
      },
      persistence_mode: true,
      ecc: true,
    },
  ]);
});

test('what a card does not tell is absent', async () => {
  await smi.answer('query-gpu', LAPTOP);
  const [gpu] = await found();
  expect(gpu?.state).not.toHaveProperty('power_w');
  expect(gpu?.state).not.toHaveProperty('utilization_pct');
  expect(gpu?.info).not.toHaveProperty('cuda_driver');
  expect(gpu?.ecc).toBeUndefined();
  expect(gpu?.persistence_mode).toBe(false);
  expect(gpu?.state.throttle_mask).toBe(0x24);
});

test('processes are listed with the card they compute on', async () => {
  await smi.answer('query-gpu', H200 + LAPTOP);
  await smi.answer(
    'query-compute-apps',
    'GPU-aaaaaaaa-2222-3333-4444-555555555555, 4242\nGPU-aaaaaaaa-2222-3333-4444-555555555555, 17\n',
  );
  expect((await found()).map((gpu) => gpu.state.foreign_pids)).toEqual([[], [4242, 17]]);
});

test('a driver that knows a field by its older name is asked by that name', async () => {
  await smi.before(
    'query-gpu',
    'case "$1" in *clocks_event_reasons*) echo \'Field "clocks_event_reasons.active" is not a valid field to query.\'; exit 2 ;; esac\n',
  );
  await smi.answer('query-gpu', H200);
  expect((await found())[0]?.state.throttle_mask).toBe(1);
});

test('a field that a driver does not know at all is left out', async () => {
  await smi.before(
    'query-gpu',
    'case "$1" in *compute_cap*) echo \'Field "compute_cap" is not a valid field to query.\'; exit 2 ;; esac\n',
  );
  await smi.answer('query-gpu', H200.replace(' 9.0,', ''));
  const [gpu] = await found();
  expect(gpu?.info).not.toHaveProperty('compute_capability');
  expect(gpu?.info.memory_bytes).toBe(143771 * 1024 * 1024);
});

test('a machine without nvidia-smi has no GPU', async () => {
  expect(await listGpus({ env: { PATH: '/nonexistent' } })).toMatchObject({ status: 'no-nvidia-smi' });
});

test('a driver that is not loaded is told in the words of nvidia-smi', async () => {
  const words = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  await smi.answer('query-gpu', `${words}\n`, 9);
  expect(await listGpus({ env: smi.env })).toEqual({ status: 'no-driver', message: words });
});

test('a driver without a card has no devices', async () => {
  await smi.answer('query-gpu', 'No devices were found\n', 6);
  expect(await listGpus({ env: smi.env })).toMatchObject({ status: 'no-devices' });
});

test('an answer that is no table is told and not guessed at', async () => {
  await smi.answer('query-gpu', 'what, 1\n');
  expect(await listGpus({ env: smi.env })).toMatchObject({
    status: 'no-answer',
    message: expect.stringContaining('what, 1') as string,
  });
});

test('an nvidia-smi that hangs is given up', async () => {
  await smi.before('query-gpu', 'sleep 60\n');
  expect(await listGpus({ env: smi.env, timeout_ms: 200 })).toMatchObject({ status: 'no-answer' });
});

test('the CUDA version of the driver is read from either form of the header', () => {
  expect(cudaVersion('| NVIDIA-SMI 535.1   Driver Version: 535.1   CUDA Version: 12.2  |')).toBe('12.2');
  expect(cudaVersion('| NVIDIA-SMI 590.1   Driver Version: 590.1   CUDA UMD Version: 13.1  |')).toBe('13.1');
  expect(cudaVersion('| NVIDIA-SMI 535.1   Driver Version: 535.1   CUDA Version: N/A  |')).toBeUndefined();
});

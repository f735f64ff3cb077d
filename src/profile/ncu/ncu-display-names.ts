/**
 * The details page's display names and the raw metrics behind them. A row is here only where the two are certainly
 * the same: the raw and details exports of the same captures agree in every digit (test/fixtures/ncu), or, for
 * labels that older versions printed, ncu's section files of that time name the metric. Not here on purpose: "Issue
 * Slots Busy" and "SM Busy", which were shares of active cycles in older versions and are shares of elapsed cycles
 * now.
 */
type Named = readonly [name: string, unit: string, metric: string];

const SPEED_OF_LIGHT: readonly Named[] = [
  ['DRAM Frequency', 'hz', 'dram__cycles_elapsed.avg.per_second'],
  ['Memory Frequency', 'hz', 'dram__cycles_elapsed.avg.per_second'],
  ['SM Frequency', 'hz', 'gpc__cycles_elapsed.avg.per_second'],
  ['Elapsed Cycles', 'cycle', 'gpc__cycles_elapsed.max'],
  ['Memory Throughput', '%', 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['Memory [%]', '%', 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SOL Memory', '%', 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['DRAM Throughput', '%', 'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SOL DRAM', '%', 'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['Duration', 'ns', 'gpu__time_duration.sum'],
  ['L1/TEX Cache Throughput', '%', 'l1tex__throughput.avg.pct_of_peak_sustained_active'],
  ['SOL L1/TEX Cache', '%', 'l1tex__throughput.avg.pct_of_peak_sustained_active'],
  ['L2 Cache Throughput', '%', 'lts__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SOL L2 Cache', '%', 'lts__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SM Active Cycles', 'cycle', 'sm__cycles_active.avg'],
  ['Compute (SM) Throughput', '%', 'sm__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SM [%]', '%', 'sm__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['SOL SM', '%', 'sm__throughput.avg.pct_of_peak_sustained_elapsed'],
];

const BY_SECTION: Readonly<Record<string, readonly Named[]>> = {
  'GPU Speed Of Light Throughput': SPEED_OF_LIGHT,
  'GPU Speed Of Light': SPEED_OF_LIGHT,
  'PM Sampling': [
    ['Maximum Buffer Size', 'byte', 'profiler__pmsampler_buffer_size_bytes'],
    ['Maximum Sampling Interval', 'ns', 'profiler__pmsampler_interval_time'],
  ],
  'Compute Workload Analysis': [
    ['Executed Ipc Active', 'inst/cycle', 'sm__inst_executed.avg.per_cycle_active'],
    ['Executed Ipc Elapsed', 'inst/cycle', 'sm__inst_executed.avg.per_cycle_elapsed'],
    ['Issued Ipc Active', 'inst/cycle', 'sm__inst_issued.avg.per_cycle_active'],
  ],
  'Memory Workload Analysis': [
    ['Local Memory Spilling Requests', '', 'derived__local_spilling_requests'],
    ['Local Memory Spilling Request Overhead', '%', 'derived__local_spilling_requests_pct'],
    ['Memory Throughput', 'byte/s', 'dram__bytes.sum.per_second'],
    ['Mem Busy', '%', 'gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed'],
    ['Max Bandwidth', '%', 'gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed'],
    ['L1/TEX Hit Rate', '%', 'l1tex__t_sector_hit_rate.pct'],
    ['L2 Persisting Size', 'byte', 'launch__persisting_l2_cache_size'],
    ['L2 Compression Input Sectors', 'sector', 'lrc__ilc_input_sectors.sum'],
    ['L2 Hit Rate', '%', 'lts__t_sector_hit_rate.pct'],
    ['Mem Pipes Busy', '%', 'sm__memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  ],
  'Scheduler Statistics': [
    ['One or More Eligible', '%', 'smsp__issue_active.avg.pct_of_peak_sustained_active'],
    ['Issued Warp Per Scheduler', '', 'smsp__issue_active.avg.per_cycle_active'],
    ['No Eligible', '%', 'smsp__issue_inst0.avg.pct_of_peak_sustained_active'],
    ['Active Warps Per Scheduler', 'warp', 'smsp__warps_active.avg.per_cycle_active'],
    ['Eligible Warps Per Scheduler', 'warp', 'smsp__warps_eligible.avg.per_cycle_active'],
  ],
  'Warp State Statistics': [
    ['Warp Cycles Per Issued Instruction', 'cycle', 'smsp__average_warp_latency_per_inst_issued.ratio'],
    ['Warp Cycles Per Executed Instruction', 'cycle', 'smsp__average_warps_active_per_inst_executed.ratio'],
    ['Avg. Active Threads Per Warp', '', 'smsp__thread_inst_executed_per_inst_executed.ratio'],
    [
      'Avg. Not Predicated Off Threads Per Warp',
      '',
      'smsp__thread_inst_executed_pred_on_per_inst_executed.ratio',
    ],
  ],
  'Instruction Statistics': [
    ['Avg. Executed Instructions Per Scheduler', 'inst', 'smsp__inst_executed.avg'],
    ['Executed Instructions', 'inst', 'smsp__inst_executed.sum'],
    ['Avg. Issued Instructions Per Scheduler', 'inst', 'smsp__inst_issued.avg'],
    ['Issued Instructions', 'inst', 'smsp__inst_issued.sum'],
  ],
  'Launch Statistics': [
    ['Block Size', '', 'launch__block_size'],
    ['Cluster Scheduling Policy', '', 'launch__cluster_scheduling_policy'],
    ['Cluster Size', '', 'launch__cluster_size'],
    ['Function Cache Configuration', '', 'launch__func_cache_config'],
    ['Grid Size', '', 'launch__grid_size'],
    ['Registers Per Thread', 'register/thread', 'launch__registers_per_thread'],
    ['Shared Memory Configuration Size', 'byte', 'launch__shared_mem_config_size'],
    ['Driver Shared Memory Per Block', 'byte/block', 'launch__shared_mem_per_block_driver'],
    ['Dynamic Shared Memory Per Block', 'byte/block', 'launch__shared_mem_per_block_dynamic'],
    ['Static Shared Memory Per Block', 'byte/block', 'launch__shared_mem_per_block_static'],
    ['# SMs', 'SM', 'launch__sm_count'],
    ['Stack Size', '', 'launch__stack_size'],
    ['Threads', 'thread', 'launch__thread_count'],
    ['# TPCs', '', 'launch__tpc_count'],
    ['Enabled TPC IDs', '', 'launch__tpc_enabled'],
    ['Uses Green Context', '', 'launch__uses_green_context'],
    ['Waves Per SM', '', 'launch__waves_per_multiprocessor'],
  ],
  Occupancy: [
    ['Max Active Clusters', 'cluster', 'launch__cluster_max_active'],
    ['Max Cluster Size', 'block', 'launch__cluster_max_potential_size'],
    ['Overall GPU Occupancy', '%', 'launch__occupancy_cluster_gpu_pct'],
    ['Cluster Occupancy', '%', 'launch__occupancy_cluster_pct'],
    ['Block Limit Barriers', 'block', 'launch__occupancy_limit_barriers'],
    ['Block Limit SM', 'block', 'launch__occupancy_limit_blocks'],
    ['Block Limit Registers', 'block', 'launch__occupancy_limit_registers'],
    ['Block Limit Shared Mem', 'block', 'launch__occupancy_limit_shared_mem'],
    ['Block Limit Warps', 'block', 'launch__occupancy_limit_warps'],
    ['Theoretical Active Warps per SM', 'warp', 'sm__maximum_warps_avg_per_active_cycle'],
    ['Theoretical Occupancy', '%', 'sm__maximum_warps_per_active_cycle_pct'],
    ['Achieved Occupancy', '%', 'sm__warps_active.avg.pct_of_peak_sustained_active'],
    ['Achieved Active Warps Per SM', 'warp', 'sm__warps_active.avg.per_cycle_active'],
  ],
  'GPU and Memory Workload Distribution': [
    ['Average DRAM Active Cycles', 'cycle', 'dram__cycles_active.avg'],
    ['Total DRAM Elapsed Cycles', 'cycle', 'dram__cycles_elapsed.sum'],
    ['Average L1 Active Cycles', 'cycle', 'l1tex__cycles_active.avg'],
    ['Total L1 Elapsed Cycles', 'cycle', 'l1tex__cycles_elapsed.sum'],
    ['Average L2 Active Cycles', 'cycle', 'lts__cycles_active.avg'],
    ['Total L2 Elapsed Cycles', 'cycle', 'lts__cycles_elapsed.sum'],
    ['Average SM Active Cycles', 'cycle', 'sm__cycles_active.avg'],
    ['Total SM Elapsed Cycles', 'cycle', 'sm__cycles_elapsed.sum'],
    ['Average SMSP Active Cycles', 'cycle', 'smsp__cycles_active.avg'],
    ['Total SMSP Elapsed Cycles', 'cycle', 'smsp__cycles_elapsed.sum'],
  ],
  'Source Counters': [
    ['Branch Instructions Ratio', '%', 'derived__smsp__inst_executed_op_branch_pct'],
    ['Branch Instructions', 'inst', 'smsp__inst_executed_op_branch.sum'],
    ['Branch Efficiency', '%', 'smsp__sass_average_branch_targets_threads_uniform.pct'],
    ['Avg. Divergent Branches', 'branch', 'smsp__sass_branch_targets_threads_divergent.avg'],
  ],
};

const METRICS = new Map(
  Object.entries(BY_SECTION).flatMap(([section, named]) =>
    named.map(([name, unit, metric]) => [keyOf(section, name, unit), metric] as const),
  ),
);

/** The raw metric behind a display name. The unit decides too: "Memory Throughput" is two metrics. */
export function metricByDisplayName(section: string, name: string, unit: string): string | undefined {
  return METRICS.get(keyOf(section, name, unit));
}

function keyOf(section: string, name: string, unit: string): string {
  return `${section}\n${name}\n${unit}`;
}

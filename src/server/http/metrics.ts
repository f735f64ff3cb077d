const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Timing {
  readonly counts: number[];
  sum_s: number;
  count: number;
}

/** Numbers about a server in the text format of Prometheus. Labels are from fixed sets, so that they stay few. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #timings = new Map<string, Timing>();
  readonly #counters = new Map<string, { readonly help: string; value: number }>();
  readonly #gauges = new Map<string, { readonly help: string; readonly read: () => number }>();
  inFlight = 0;

  /** @param route the pattern that matched, never the address itself */
  request(route: string, method: string, status: number, seconds: number): void {
    const key = `route="${route}",method="${method}",status="${status}"`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const timing = this.#timings.get(route) ?? { counts: BUCKETS_S.map(() => 0), sum_s: 0, count: 0 };
    this.#timings.set(route, timing);
    timing.sum_s += seconds;
    timing.count += 1;
    BUCKETS_S.forEach((limit, index) => {
      if (seconds <= limit) timing.counts[index]! += 1;
    });
  }

  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
  }

  counter(name: string, help: string): () => void {
    const counter = { help, value: 0 };
    this.#counters.set(name, counter);
    return () => {
      counter.value += 1;
    };
  }

  render(): string {
    const lines = [
      ...head('pawl_http_requests_total', 'counter', 'Requests by route, method and status.'),
      ...[...this.#requests].map(([labels, value]) => `pawl_http_requests_total{${labels}} ${value}`),
      ...head('pawl_http_request_seconds', 'histogram', 'Time from the request to the end of its answer.'),
      ...[...this.#timings].flatMap(([route, timing]) => histogram(route, timing)),
      ...head('pawl_http_requests_in_flight', 'gauge', 'Requests under way.'),
      `pawl_http_requests_in_flight ${this.inFlight}`,
    ];
    for (const [name, { help, value }] of this.#counters) {
      lines.push(...head(name, 'counter', help), `${name} ${value}`);
    }
    for (const [name, { help, read }] of this.#gauges) {
      lines.push(...head(name, 'gauge', help), `${name} ${read()}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function histogram(route: string, { counts, sum_s, count }: Timing): string[] {
  const name = 'pawl_http_request_seconds';
  return [
    ...BUCKETS_S.map((limit, index) => `${name}_bucket{route="${route}",le="${limit}"} ${counts[index]}`),
    `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
    `${name}_sum{route="${route}"} ${sum_s}`,
    `${name}_count{route="${route}"} ${count}`,
  ];
}

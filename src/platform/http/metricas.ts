import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** From a cached answer to a page of large documents, seconds. */
const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
/** How often the event loop is looked at. What is told of its delay holds this too: a loop that is never late tells so much. */
const LOOP_EVERY_MS = 5;

interface Sample {
  value: number;
  labels?: Record<string, string>;
}

/** Numbers that are asked for at every scrape. */
export interface Measure {
  kind: 'gauge' | 'counter';
  name: string;
  help: string;
  labelNames?: readonly string[];
  read: () => Sample[] | Promise<Sample[]>;
}

/** What `/metrics` answers. Default metrics include the delay of the event loop. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations: Histogram<'method' | 'route' | 'status'>;

  constructor(options: { measures: readonly Measure[] }) {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LOOP_EVERY_MS });
    this.#durations = new Histogram({
      name: 'malote_http_duracao_segundos',
      help: 'Duração das requisições HTTP por rota',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers: [this.#registry],
    });
    for (const measure of options.measures) this.#add(measure);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Times every request. Labels hold the route's pattern, never a path, so that their number stays bounded. */
  observe(app: FastifyInstance): void {
    app.addHook('onResponse', async (request, reply) => {
      this.#durations.observe(
        {
          method: request.is404 ? 'outro' : request.method,
          route: request.routeOptions.url ?? 'nenhuma',
          status: reply.statusCode,
        },
        reply.elapsedTime / 1_000,
      );
    });
  }

  /** For what is answered before the framework: notes the seconds of one request of a route. */
  durationOf(labels: { method: string; route: string; status: number }): (seconds: number) => void {
    const { method, route, status } = labels;
    const bound = this.#durations.labels(method, route, String(status));
    return (seconds) => bound.observe(seconds);
  }

  #add({ kind, read, name, help, labelNames = [] }: Measure): void {
    const shape = { name, help, labelNames: [...labelNames], registers: [this.#registry] };
    if (kind === 'gauge') {
      new Gauge({
        ...shape,
        async collect() {
          const samples = await read();
          this.reset();
          // That gives a figure without labels the value 0, also when it has nothing to say.
          if (labelNames.length === 0) this.remove();
          for (const { value, labels = {} } of samples) this.set(labels, value);
        },
      });
      return;
    }
    // The counting happens elsewhere; at a scrape the counter is set to what was counted.
    new Counter({
      ...shape,
      async collect() {
        const samples = await read();
        this.reset();
        for (const { value, labels = {} } of samples) this.inc(labels, value);
      },
    });
  }
}

/**
 * The one door to the S3 SDK: the few requests that the blob store needs, each with a time-out, repeated a few
 * times when the line or the bucket fails, and with the answer checked.
 */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  S3Client as AwsClient,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ArquivosEmS3 } from '../../config.ts';

/** Seam for tests: how long to wait for what. Milliseconds. */
interface S3Times {
  connect: number;
  /** Nothing comes or goes on a connection for this long. */
  idle: number;
  /** One request, body included, however slowly it goes on. */
  request: number;
  /** Before the second try; before each further one three times as long. */
  retry: number;
}

const TIMES: S3Times = { connect: 3_000, idle: 10_000, request: 40_000, retry: 200 };
const ATTEMPTS = 3;
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
/** Connections at once; further requests wait for one. */
const MAX_SOCKETS = 64;
const HEX_MD5 = /^[0-9a-f]{32}$/;
/** Where only an endpoint is named, any region will do; the SDK wants one. */
const ANY_REGION = 'us-east-1';

/** A body that can be sent again from its beginning. */
interface Body {
  open: () => Readable;
  sizeBytes: number;
  /** Hex. */
  md5: string;
}

/** The bucket could not be reached, or answered with an error that is not "no such object". */
export class S3Refusal extends Error {
  constructor(cause: unknown) {
    super(toldBy(cause as Error), { cause });
    this.name = 'S3Refusal';
  }
}

export class S3Client {
  readonly #aws: AwsClient;
  readonly #bucket: string;
  readonly #times: S3Times;

  constructor(settings: ArquivosEmS3, times: Partial<S3Times> = {}) {
    this.#bucket = settings.bucket;
    this.#times = { ...TIMES, ...times };
    const { connect, idle } = this.#times;
    this.#aws = new AwsClient({
      ...(settings.endpoint === '' ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
      region: process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION || ANY_REGION,
      // Repeated here, because the SDK cannot repeat a body that is a stream.
      maxAttempts: 1,
      // What fails is thrown and told by who called; the SDK's own notes would go to the console.
      logger: SILENT,
      // MD5 goes along and ETags are compared; S3-like servers know these, newer checksums many do not.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      followRegionRedirects: false,
      requestHandler: {
        connectionTimeout: connect,
        socketTimeout: idle,
        requestTimeout: 0,
        httpAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
        httpsAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
      },
    });
  }

  async putObject(input: { key: string; body: Body; signal?: AbortSignal | undefined }): Promise<void> {
    const { key, body } = input;
    await this.#send(input, async (Body, abortSignal) => {
      const answer = await this.#aws.send(
        new PutObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          Body,
          ContentLength: body.sizeBytes,
          ContentMD5: base64Of(body.md5),
          ContentType: 'application/octet-stream',
        }),
        { abortSignal },
      );
      checkEtag(answer.ETag, body.md5, answer.ServerSideEncryption);
    });
  }

  /**
   * @param range only these bytes, first and last, of the object with this ETag
   * @returns null when there is no such object
   */
  async getObject(
    key: string,
    range?: { start: number; end: number; etag: string | undefined },
  ): Promise<Buffer | null> {
    return this.#try(async (abortSignal) => {
      try {
        const answer = await this.#aws.send(
          new GetObjectCommand({
            Bucket: this.#bucket,
            Key: key,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
          { abortSignal },
        );
        const bytes = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
        const length = range ? range.end - range.start + 1 : answer.ContentLength;
        if (length !== undefined && bytes.length !== length) throw new Error('the object came cut off');
        // Compared here: not every server knows the condition in a header.
        if (range?.etag !== undefined && answer.ETag !== range.etag) {
          throw new Error('another object took its place meanwhile');
        }
        return bytes;
      } catch (error) {
        if (isNoSuchObject(error)) return null;
        throw error;
      }
    });
  }

  async headObject(
    key: string,
  ): Promise<{ sizeBytes: number; modifiedAt: number; etag: string | undefined } | null> {
    return this.#try(async (abortSignal) => {
      try {
        const answer = await this.#aws.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }), {
          abortSignal,
        });
        return {
          sizeBytes: answer.ContentLength ?? 0,
          modifiedAt: answer.LastModified?.getTime() ?? 0,
          etag: answer.ETag,
        };
      } catch (error) {
        if (isNoSuchObject(error)) return null;
        throw error;
      }
    });
  }

  async deleteObject(key: string): Promise<void> {
    await this.#try((abortSignal) =>
      this.#aws.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }), { abortSignal }),
    );
  }

  /** One page of at most a thousand. */
  async listObjects(input: {
    prefix: string;
    token: string | undefined;
  }): Promise<{ keys: string[]; next: string | null }> {
    return this.#try(async (abortSignal) => {
      const answer = await this.#aws.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: input.prefix,
          ...(input.token === undefined ? {} : { ContinuationToken: input.token }),
        }),
        { abortSignal },
      );
      const keys = (answer.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
      return { keys, next: answer.IsTruncated ? (answer.NextContinuationToken ?? null) : null };
    });
  }

  async beginUpload(key: string): Promise<string> {
    return this.#try(async (abortSignal) => {
      const answer = await this.#aws.send(
        new CreateMultipartUploadCommand({
          Bucket: this.#bucket,
          Key: key,
          ContentType: 'application/octet-stream',
        }),
        { abortSignal },
      );
      if (!answer.UploadId) throw new Error('the bucket gave no upload id');
      return answer.UploadId;
    });
  }

  /** @returns the part's ETag, for `finishUpload` */
  async putPart(input: {
    key: string;
    uploadId: string;
    number: number;
    body: Body;
    signal?: AbortSignal | undefined;
  }): Promise<string> {
    const { body } = input;
    return this.#send(input, async (Body, abortSignal) => {
      const answer = await this.#aws.send(
        new UploadPartCommand({
          Bucket: this.#bucket,
          Key: input.key,
          UploadId: input.uploadId,
          PartNumber: input.number,
          Body,
          ContentLength: body.sizeBytes,
          ContentMD5: base64Of(body.md5),
        }),
        { abortSignal },
      );
      checkEtag(answer.ETag, body.md5, answer.ServerSideEncryption);
      return answer.ETag ?? '';
    });
  }

  /** Joins the parts and looks at what has become of them. */
  async finishUpload(input: {
    key: string;
    uploadId: string;
    etags: readonly string[];
    md5s: readonly string[];
    sizeBytes: number;
  }): Promise<void> {
    const { key, uploadId, etags, sizeBytes } = input;
    await this.#try(async (abortSignal) => {
      try {
        await this.#aws.send(
          new CompleteMultipartUploadCommand({
            Bucket: this.#bucket,
            Key: key,
            UploadId: uploadId,
            MultipartUpload: { Parts: etags.map((ETag, at) => ({ ETag, PartNumber: at + 1 })) },
          }),
          { abortSignal },
        );
      } catch (error) {
        // An earlier try may have done it, and its answer was lost: then the object itself tells.
        if ((error as Error).name !== 'NoSuchUpload') throw error;
      }
      const answer = await this.#aws.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }), {
        abortSignal,
      });
      if (answer.ContentLength !== sizeBytes) throw new Error('the joined parts have another length');
      const joined = createHash('md5')
        .update(Buffer.concat(input.md5s.map((md5) => Buffer.from(md5, 'hex'))))
        .digest('hex');
      const [digest = '', count] = (answer.ETag ?? '').replaceAll('"', '').split('-');
      if (count === undefined || isKeyed(answer.ServerSideEncryption)) return;
      if (count === String(etags.length) && HEX_MD5.test(digest) && digest !== joined) {
        throw new Error('the joined parts have another digest');
      }
    });
  }

  async abortUpload(input: { key: string; uploadId: string }): Promise<void> {
    await this.#try((abortSignal) =>
      this.#aws.send(
        new AbortMultipartUploadCommand({
          Bucket: this.#bucket,
          Key: input.key,
          UploadId: input.uploadId,
        }),
        { abortSignal },
      ),
    );
  }

  /** Uploads in parts that nobody finished, a thousand at most; none where the server does not tell. */
  async listUploads(prefix: string): Promise<{ key: string; uploadId: string; startedAt: number }[]> {
    return this.#try(async (abortSignal) => {
      try {
        const answer = await this.#aws.send(
          new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix }),
          { abortSignal },
        );
        return (answer.Uploads ?? []).flatMap(({ Key, UploadId, Initiated }) =>
          Key && UploadId && Initiated
            ? [{ key: Key, uploadId: UploadId, startedAt: Initiated.getTime() }]
            : [],
        );
      } catch (error) {
        if (['NotImplemented', 'MethodNotAllowed'].includes((error as Error).name)) return [];
        throw error;
      }
    });
  }

  close(): void {
    this.#aws.destroy();
  }

  /** The body is closed after each try: a request that broke leaves it standing open in the middle. */
  #send<T>(
    { body, signal }: { body: Body; signal?: AbortSignal | undefined },
    act: (body: Readable | Uint8Array, abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (body.sizeBytes === 0) return this.#try((abortSignal) => act(new Uint8Array(), abortSignal), signal);
    return this.#try(async (abortSignal) => {
      const stream = body.open();
      stream.on('error', () => {});
      try {
        return await act(stream, abortSignal);
      } finally {
        stream.destroy();
      }
    }, signal);
  }

  async #try<T>(act: (abortSignal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const timeout = AbortSignal.timeout(this.#times.request);
      try {
        return await act(signal ? AbortSignal.any([signal, timeout]) : timeout);
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt === ATTEMPTS || !isPassing(error)) throw new S3Refusal(error);
      }
      await sleep(this.#times.retry * 3 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  }
}

/** What the bucket said. An answer to HEAD has no body to say it in, and the SDK calls it unknown: its status tells. */
function toldBy(cause: Error & { $metadata?: { httpStatusCode?: number } }): string {
  const { name, message, $metadata } = cause;
  const status = $metadata?.httpStatusCode;
  if (/^Unknown/.test(name) && status !== undefined) return `HTTP ${status}`;
  return message && message !== name ? `${name}: ${message}` : name;
}

/** A line that broke, a bucket that asks for patience, bytes that changed on the way: trying again may help. */
function isPassing(error: unknown): boolean {
  const { $metadata, $fault } = error as { $metadata?: { httpStatusCode?: number }; $fault?: string };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return true;
  if (status >= 500 || status === 429 || status === 408) return true;
  return (
    $fault !== 'client' || ['RequestTimeout', 'BadDigest', 'IncompleteBody'].includes((error as Error).name)
  );
}

function isNoSuchObject(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'NoSuchKey' || name === 'NotFound';
}

/** With a key of its own service an object's ETag is no MD5; everywhere else, for one part, it is. */
function checkEtag(etag: string | undefined, md5: string, encryption: string | undefined): void {
  const given = etag?.replaceAll('"', '').toLowerCase();
  if (given === undefined || !HEX_MD5.test(given) || isKeyed(encryption)) return;
  if (given !== md5) throw new Error('the bucket stored other bytes than were sent');
}

function isKeyed(encryption: string | undefined): boolean {
  return encryption?.startsWith('aws:') ?? false;
}

function base64Of(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Clock } from '../clock.ts';
import type { BlobStore } from './blob-store.ts';
import { BLOBS_FOLDER, openDiskBlobStore } from './disk.ts';

/** Bodies on their way to a bucket, below the data folder. */
const SPOOL_FOLDER = 'recebendo';

/** Opens the blob store that the settings name: a folder, or a bucket. Does not speak to the bucket yet. */
export async function openBlobStore(
  config: Pick<Config, 'dataFolder' | 'arquivos'>,
  options: { clock?: Clock } = {},
): Promise<BlobStore> {
  const { arquivos, dataFolder } = config;
  if (arquivos === null) return openDiskBlobStore(join(dataFolder, BLOBS_FOLDER), options);
  // Loaded only where it is used: the SDK takes a good part of a second.
  const [{ openS3BlobStore }, { S3Client }] = await Promise.all([
    import('./s3.ts'),
    import('./s3-client.ts'),
  ]);
  return openS3BlobStore({
    settings: arquivos,
    client: new S3Client(arquivos),
    spoolFolder: join(dataFolder, SPOOL_FOLDER),
    ...options,
  });
}

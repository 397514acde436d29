-- Backups that were made of this database: when the last good one was.
create table copia_de_seguranca (
  id integer primary key,
  -- The moment that the backup shows.
  criada_em integer not null,
  concluida_em integer not null,
  -- Folder or file, as it was named on the command line.
  destino text not null,
  bytes integer not null,
  documentos integer not null,
  arquivos integer not null,
  -- Uploaded files that could not be had: they were missing already.
  faltas integer not null,
  com_chave integer not null,
  -- SHA-256 of the manifest, hex: the name of this backup.
  manifesto text not null
) strict;

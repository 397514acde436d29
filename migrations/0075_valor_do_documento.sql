-- Amounts in centavos: whoever types one finds its documents. Kept with the rows, since a table may have millions of them.
create index documento_valor
  on documento (contador_id, (cast(round(cast(valor as double precision) * 100) as bigint)))
  where classe = 'documento' and valor is not null;

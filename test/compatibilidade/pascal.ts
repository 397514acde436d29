/** A reader in Free Pascal, with the accessors of `fpjson`: they raise an exception for what is not there or is null. */
import { type Campo, NOMES, type Nome, REGISTROS } from './campos.ts';

function escrita({ nome, tipo, opcional }: Campo): string {
  if (typeof tipo === 'object') {
    return 'um' in tipo
      ? `  Escreve${tipo.um}(de.Objects['${nome}']);`
      : `  for i := 0 to de.Arrays['${nome}'].Count - 1 do Escreve${tipo.lista}(de.Arrays['${nome}'].Objects[i]);`;
  }
  if (tipo === 'timestamp') return `  Instante('${nome}', de, ${opcional ? 'True' : 'False'});`;
  const valor = {
    integer: `IntToStr(de.Int64s['${nome}'])`,
    string: `de.Strings['${nome}']`,
    boolean: `LowerCase(BoolToStr(de.Booleans['${nome}'], True))`,
  }[tipo];
  return `  Linha('${nome}', ${valor});`;
}

const procedimento = (nome: Nome) => `procedure Escreve${nome}(de: TJSONObject);
${REGISTROS[nome].some(({ tipo }) => typeof tipo === 'object' && 'lista' in tipo) ? 'var i: Integer;\n' : ''}begin
${REGISTROS[nome].map(escrita).join('\n')}
end;`;

export const PASCAL = `program leitor;
{$mode objfpc}{$H+}
uses cwstring, Classes, SysUtils, fpjson, jsonparser;

procedure Linha(const campo, texto: string);
begin
  Write(campo, '=', StringReplace(StringReplace(StringReplace(texto, '\\', '\\\\', [rfReplaceAll]),
    #10, '\\n', [rfReplaceAll]), #13, '\\r', [rfReplaceAll]), #10);
end;

procedure Instante(const campo: string; de: TJSONObject; opcional: Boolean);
begin
  if (opcional and (de.IndexOfName(campo) < 0)) or de.Nulls[campo] then Linha(campo, 'null')
  else Linha(campo, de.Strings[campo]);
end;

${NOMES.map(procedimento).join('\n')}

var
  i: Integer;
  fonte: TFileStream;
  lido: TJSONData;
begin
  SetMultiByteConversionCodePage(CP_UTF8);
  SetTextCodePage(Output, CP_UTF8);
  i := 1;
  while i < ParamCount do
  begin
    fonte := TFileStream.Create(ParamStr(i + 1), fmOpenRead);
    lido := GetJSON(fonte, True);
    case ParamStr(i) of
${NOMES.map((nome) => `      '${nome}': Escreve${nome}(lido as TJSONObject);`).join('\n')}
    end;
    lido.Free;
    fonte.Free;
    i := i + 2;
  end;
end.
`;

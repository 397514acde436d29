/** Another program that captures the same CNPJ: it keeps its hours, and goes on with the number that it is told. */
import type { Simulador } from '../../src/simulador/simulador.ts';
import { field, nsu15 } from '../../src/simulador/soap.ts';
import type { CertificadoApresentado } from '../../src/simulador/tipos.ts';

const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe';

export class OutroPrograma {
  readonly #simulador: Simulador;
  readonly #cnpj: string;
  #ultNsu = 0;

  constructor(simulador: Simulador, cnpj: string) {
    this.#simulador = simulador;
    this.#cnpj = cnpj;
  }

  ask(certificado: CertificadoApresentado): void {
    const pedido =
      `<distDFeInt versao="1.01" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>1</tpAmb><CNPJ>${this.#cnpj}</CNPJ>` +
      `<distNSU><ultNSU>${nsu15(this.#ultNsu)}</ultNSU></distNSU></distDFeInt>`;
    const desfecho = this.#simulador.answer({
      servico: 'nfe',
      metodo: 'POST',
      caminho: '',
      cabecalhos: { 'user-agent': 'outro', 'content-type': 'application/soap+xml' },
      corpo:
        '<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>' +
        `<nfeDistDFeInteresse xmlns="${WSDL}"><nfeDadosMsg>${pedido}</nfeDadosMsg></nfeDistDFeInteresse></e:Body></e:Envelope>`,
      certificado,
    });
    if (desfecho.tipo === 'queda') return;
    const told = Number(field(String(desfecho.resposta.corpo), 'ultNSU') ?? 0);
    this.#ultNsu = Math.max(this.#ultNsu, told);
  }
}

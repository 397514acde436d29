import { Component, type ReactNode } from 'react';
import { Erro } from './estados.tsx';

/** One broken screen leaves the rest of the console standing. A screen whose code has been replaced reloads. */
export class Barreira extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const outdated =
      error instanceof TypeError && /dynamically imported module|module script/.test(error.message);
    return (
      <Erro
        falha={outdated ? new Error('O console foi atualizado no servidor: recarregue a página.') : error}
        titulo="Esta tela parou"
        deNovo={() => window.location.reload()}
      />
    );
  }
}

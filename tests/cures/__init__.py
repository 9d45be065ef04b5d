"""Every kind of fault in every phase by every way of dealing, cured by robots who know the printed words alone."""

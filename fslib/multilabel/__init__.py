"""Feature selection and classification with many labels per sample, some of them unknown."""

"""Multi-label feature selection with missing labels.

P. Zhu, Q. Xu, Q. Hu, C. Zhang, H. Zhao. Multi-label feature selection with missing labels. Pattern
Recognition 74, 2018.
"""
